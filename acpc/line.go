package acpc

import (
	"bufio"
	"fmt"
)

// MaxLogLine is the longest line of a log or of a record of hands in bytes, its
// end included: far more than any hand takes, and little enough for a file
// that is none of these, such as a device without end, to be refused soon.
const MaxLogLine = 1 << 20

// ReadLine returns the next line with its end, as r.ReadString('\n') does, but
// an error where it is longer than MaxLogLine.
func ReadLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLogLine {
			return "", fmt.Errorf("a line of more than %d bytes", MaxLogLine)
		}
		if err != bufio.ErrBufferFull {
			return string(append(line, part...)), err
		}
		line = append(line, part...)
	}
}
