package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxText is the size in bytes of the largest file that is read. Files written by hand are
// much smaller.
const maxText = 1 << 20

// readText returns the text in a file. It refuses devices, which may never end, and files
// with zero bytes.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := ReadAtMost(f, path, maxText)
	if err != nil {
		return "", err
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return "", fmt.Errorf("%s: not a text: byte %d is zero", path, at+1)
	}
	return string(text), nil
}

// ReadAtMost reads r to its end, or returns an error after limit bytes: r may be a device
// that never ends. name is for errors.
func ReadAtMost(r io.Reader, name string, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, limit)
	}
	return text, nil
}

// ReadFileAtMost is os.ReadFile with the limit of [ReadAtMost], for files that a user
// names.
func ReadFileAtMost(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAtMost(f, path, limit)
}
