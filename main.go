// Wherefore finds the line that raised an error message, and says why.
package main

import (
	"os"

	"github.com/wherefore-dev/wherefore/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
