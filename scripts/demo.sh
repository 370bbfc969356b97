#!/bin/sh
# Indexes the Go standard library that comes with the toolchain and finds a real message of it.
set -eu
export WHEREFORE_CATALOG="${WHEREFORE_CATALOG:-$(mktemp -d)/demo.db}"
w=bin/wherefore
message='strconv.Atoi: parsing "12a": invalid syntax'

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }

say "wherefore index $(go env GOROOT)/src --name go"
$w index --name go "$(go env GOROOT)/src"

message='json: cannot unmarshal string into Go struct field T.n of type int'
message='net/http: invalid header field name "a b"'
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
  go vet ./... 2>&1 | $w find -
  $w index .     # this repository, or yours
END
