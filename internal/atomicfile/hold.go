package atomicfile

import (
	"os"
	"path/filepath"
)

// Hold locks a file that is about to be written, whether or not it exists, by a hidden
// file beside it. release removes that file; a killed program leaves it, unlocked.
func Hold(path string) (release func(), err error) {
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	for {
		f, err := Lock(beside)
		if err != nil {
			return nil, err
		}
		// The program that held it may have removed the file after it was opened here.
		locked, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(beside); err == nil && os.SameFile(locked, now) {
			return func() {
				os.Remove(beside)
				f.Close()
			}, nil
		}
		f.Close()
	}
}
