//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "gamebots-web runs in browsers: make web builds it, as docs/web.md says")
	os.Exit(2)
}
