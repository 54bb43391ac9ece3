package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// MakePrivate takes all rights to a file away from all but its owner. It leaves what is no
// regular file, what does not exist, and what belongs to somebody else, who may have
// shared it on purpose. Systems without such rights ignore it.
func MakePrivate(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, info.Mode().Perm()&0o700)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
