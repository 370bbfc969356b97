// Package process is what the commands of the service have in common: the flags that describe a rank's model and pool, an HTTP server that
// ends with its command, and the way from a command line to an exit status.
package process
