//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gamebots/hexproto/server/page"
)

// main makes the modules and style sheets of a folder into few files, for "make web".
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "gamebots-web runs in browsers: make web builds it, as docs/web.md says")
		os.Exit(2)
	}
	if err := bundleIn(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gamebots-web: error:", err)
		os.Exit(1)
	}
}

// bundleIn bundles what the page and its workers load, and deletes the files that have become parts of that.
func bundleIn(folder string) error {
	all, err := page.Bundle(os.DirFS(folder), "css/page.css", "js/main.js", "js/worker.js")
	for name, text := range all {
		file := filepath.Join(folder, name)
		switch {
		case err != nil:
		case text == nil:
			err = os.Remove(file)
		default:
			err = os.WriteFile(file, text, 0o644)
		}
	}
	return err
}
