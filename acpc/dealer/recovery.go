package dealer

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"gamebots/acpc"
)

// cutTornLine cuts off what a killed writer has left behind a file's last end
// of line, and goes back to the start of the file.
func cutTornLine(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// No line is longer than this, whatever the names in it, but for those
	// that the original could not have written.
	tail := make([]byte, min(end, 16*acpc.MaxLine))
	if _, err := f.ReadAt(tail, end-int64(len(tail))); err != nil {
		return err
	}
	if torn := int64(len(tail) - 1 - bytes.LastIndexByte(tail, '\n')); torn > 0 {
		if err := f.Truncate(end - torn); err != nil {
			return err
		}
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// firstUnlogged returns the first hand of a match that its log does not have:
// a dealer can be killed after the last action of a hand, before it logs the
// hand. Where the log is not of this match, or the match is over in it, no hand
// counts as missing, as in the original.
func firstUnlogged(log io.Reader, m *Match) (uint32, error) {
	title, _, _ := strings.Cut(string(m.AppendHeader(nil)), "\n")
	next := uint32(math.MaxUint32)
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var hand uint32
		switch line := lines.Text(); {
		case line == title:
			if next == math.MaxUint32 {
				next = 0
			}
		case strings.HasPrefix(line, titleStart), strings.HasPrefix(line, "SCORE:"):
			next = math.MaxUint32
		default:
			if n, _ := fmt.Sscanf(line, "STATE:%d:", &hand); n == 1 && next != math.MaxUint32 {
				next = hand + 1
			}
		}
	}
	return next, lines.Err()
}
