//go:build linux || darwin

package database

import (
	"path/filepath"
	"syscall"
)

// Space returns how many bytes are free on the disk of a database, and how many it has. It
// returns false where the system does not say.
func Space(path string) (free, all int64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &s); err != nil {
		return 0, 0, false
	}
	block := int64(s.Bsize)
	return int64(s.Bavail) * block, int64(s.Blocks) * block, true
}
