package configs

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxText is the size in bytes of the largest file that is read. What a user
// writes by hand is much smaller; what is larger was not meant.
const maxText = 1 << 20

// readText returns the text in a file. Devices, which may never end, and files
// that are no text are refused.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	switch n, err := io.Copy(&text, io.LimitReader(f, maxText+1)); {
	case err != nil:
		return "", err
	case n > maxText:
		return "", fmt.Errorf("%s: larger than %d bytes", path, maxText)
	}
	if at := strings.IndexByte(text.String(), 0); at >= 0 {
		return "", fmt.Errorf("%s: not a text: byte %d is zero", path, at+1)
	}
	return text.String(), nil
}
