//go:build linux

package cudatest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// The kernels take longer to compile than most tests to run, and the tests of many
// packages need them. What is compiled and linked is kept for all packages, beside Go's own cache.

// kept is for how long an unused file stays.
const kept = 7 * 24 * time.Hour

// cacheKey is the name of all that the result of the compiler depends on.
func (c toolchain) cacheKey(args []string, files map[string]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", c.cxx, c.version, args)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// cached returns the file that is kept under a key, or builds it. Processes that ask
// for the same key wait for the first.
func cached(key string, build func() ([]byte, error)) ([]byte, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	dir := filepath.Join(base, "gamebots-cudatest")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return build()
	}
	lock, err := os.OpenFile(filepath.Join(dir, key[:16]+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return build()
	}
	defer lock.Close() // unlocks it
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, key)
	code, err := os.ReadFile(file)
	if err == nil {
		now := time.Now()
		_ = os.Chtimes(file, now, now)
		return code, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if code, err = build(); err != nil {
		return nil, err
	}
	forget(dir)
	// Half a file must not be found later.
	if err := os.WriteFile(file+".new", code, 0o644); err != nil {
		return code, nil
	}
	return code, os.Rename(file+".new", file)
}

// forget removes files that have not been used in a long time.
func forget(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > kept {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
