#!/bin/sh
# Indexes the Go standard library that comes with the toolchain and finds a real message of it.
set -eu
export WHEREFORE_CATALOG="${WHEREFORE_CATALOG:-$(mktemp -d)/demo.db}"
w=bin/wherefore
message='net/http: invalid header field name "a b"'

say() { printf '\n$ %s\n' "$*"; }

say "wherefore index --name go $(go env GOROOT)/src"
$w index --name go "$(go env GOROOT)/src"

say "wherefore find '$message'"
$w find "$message"

id=$($w find --json "$message" | sed -n 's/.*"error":"\([0-9a-f]*\)".*/\1/p' | head -n 1)
say "wherefore show $id"
$w show "$id"

cat <<END

The catalog is $WHEREFORE_CATALOG. Try next:
  export WHEREFORE_CATALOG=$WHEREFORE_CATALOG
  $w list --path net/http | head
  $w coverage
  $w find 'panic: strings: negative Repeat count'
  $w index .     # this repository, or yours
END
