//go:build !windows

package atomicfile

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

type pending = renameio.PendingFile

func create(path string) (*pending, error) {
	// In the same folder, because renaming works within one file system.
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644))
}
