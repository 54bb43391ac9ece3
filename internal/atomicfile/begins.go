package atomicfile

import (
	"io"
	"os"
)

// Begins reports whether a file begins with a text.
func Begins(file, text string) bool {
	in, err := os.Open(file)
	if err != nil {
		return false
	}
	defer in.Close()
	start := make([]byte, len(text))
	_, err = io.ReadFull(in, start)
	return err == nil && string(start) == text
}
