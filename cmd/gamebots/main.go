package main

import (
	// Where a system has no list of whom to trust, as in an image from scratch, Mozilla's.
	_ "golang.org/x/crypto/x509roots/fallback"

	"gamebots/cmd/internal/cli"
)

func main() { cli.Main(newRoot()) }
