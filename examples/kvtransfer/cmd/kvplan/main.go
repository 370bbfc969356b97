// Kvplan answers questions about the KV-cache transfer between prefill and decode processes offline: which entries of a list match, which copies
// move a request, what a message of the slicing code means.
//
// Exit status: 0 done, 1 there is no answer but an error, 2 wrong usage.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
