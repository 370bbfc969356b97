#!/bin/sh
# The demonstration of `make demo`: a service of four processes moves requests, then a peer of another version provokes the error that this
# example is about, and wherefore, built from this repository, answers it.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; wait; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

bold=; plain=; if [ -t 1 ]; then bold=$(printf '\033[1m'); plain=$(printf '\033[0m'); fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# start NAME COMMAND…: runs a process and waits until it says that it is ready.
start() {
	name=$1; shift
	"$@" > "$work/$name.out" 2> "$work/$name.err" &
	pids="$pids $!"
	tries=0
	until grep -qs ready "$work/$name.out"; do
		tries=$((tries + 1))
		if [ $tries -gt 200 ] || ! kill -0 $! 2>/dev/null; then cat "$work/$name.err" >&2; exit 1; fi
		sleep 0.1
	done
	cat "$work/$name.out"
}
# where NAME WORD: the address behind a word of what a process said.
where() { sed "s/.*$2 \([0-9.:]*\).*/\1/" "$work/$1.out"; }

say "Building kvboot, kvprefill, kvdecode, kvctl, kvplan and wherefore"
${GO:-go} build -o "$work/" ./cmd/...
(cd ../.. && ${GO:-go} build -o "$work/wherefore" .)

pool="--model models/v4-like.json --pages 128 --window-pages 16 --slots 8"

say "1. A service: a bootstrap server, two prefill stages, one decode rank"
start boot "$work/kvboot" --listen 127.0.0.1:0
boot=$(where boot bootstrap)
start stage0 "$work/kvprefill" $pool --bootstrap "$boot" --pp 2 --pp-rank 0 --chunk-tokens 1024
start stage1 "$work/kvprefill" $pool --bootstrap "$boot" --pp 2 --pp-rank 1 --chunk-tokens 1024
start decode "$work/kvdecode" $pool
prefill=$(where stage0 control),$(where stage1 control)

say "2. ${REQUESTS:=200} requests of up to 4,096 tokens, 16 at once"
"$work/kvctl" run --prefill "$prefill" --decode "$(where decode control)" --bootstrap "$boot" --requests "$REQUESTS" --seed 1

say "3. A decode rank from before 2026-06-30 joins. This service compares layouts first, and says what differs:"
small="--model models/v4-like.json --pages 16 --window-pages 4 --slots 2"
start old "$work/kvdecode" $small --form old
if "$work/kvctl" request --room 1 --prefill "$prefill" --decode "$(where old control)" --bootstrap "$boot"; then exit 1; fi

say "4. The same with prefill ranks that pair layouts as SGLang does, by their lengths:"
start boot2 "$work/kvboot" --listen 127.0.0.1:0
boot=$(where boot2 bootstrap)
start sglang0 "$work/kvprefill" $small --bootstrap "$boot" --pp 2 --pp-rank 0 --mode compatible
start sglang1 "$work/kvprefill" $small --bootstrap "$boot" --pp 2 --pp-rank 1 --mode compatible
prefill=$(where sglang0 control),$(where sglang1 control)
if "$work/kvctl" request --room 1 --prefill "$prefill" --decode "$(where old control)" --bootstrap "$boot" 2> "$work/error"; then exit 1; fi
cat "$work/error"

say "5. wherefore reads this repository and answers the last link of that chain: line, values, arithmetic, what is accepted"
export WHEREFORE_CATALOG="$work/catalog.db"
"$work/wherefore" index ../.. 2> /dev/null
grep -o 'Unexpected compressed-MLA.*' "$work/error" > "$work/message"
"$work/wherefore" find - < "$work/message"

say "6. kvplan knows which mix-up gives these figures, and what to change"
"$work/kvplan" explain - < "$work/message"
