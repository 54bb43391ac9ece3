//go:build !windows

package strategy

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// pendingFile is a file under a temporary name until it is complete.
type pendingFile = renameio.PendingFile

func newPendingFile(path string) (*pendingFile, error) {
	// In the same folder, because renaming works within one file system.
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644))
}
