package main

import (
	"fmt"

	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// writable returns an error if a file cannot be written. It is called before hours of
// training, so that these are not lost.
func writable(path, flag string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another path with "+flag+" FILE")
	}
	return f.Cleanup()
}
