// Kvprefill is one rank of a prefill engine: it makes KV caches up (package synth), page by page, and writes them to decode ranks.
//
// It prints one line when it is ready, and ends with SIGINT or SIGTERM. Requests come to its control server, from kvctl. Exit status: 0 it was
// stopped, 1 it failed, 2 wrong usage.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
