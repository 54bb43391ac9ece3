package main

import (
	"fmt"

	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// writable fails where a file cannot be put, which is better known before
// hours of training than after.
func writable(path, flag string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return usererr.WithHint(fmt.Errorf("cannot write %s: %w", path, err), "give another place with "+flag+" FILE")
	}
	return f.Cleanup()
}
