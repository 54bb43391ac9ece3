package acpc

import (
	"bufio"
	"fmt"
	"math"
)

// The original reads numbers with scanf of the GNU C library on a machine of
// 64 bits: signed ones by strtol, unsigned ones by strtoul, and both into
// fewer bits, so that what is past 64 bits stays at a limit and what is past
// the smaller type wraps. The caller's conversion does the wrapping.

// scanInt reads a decimal number as %d does, blanks and a sign before it
// included, and returns how many bytes it took: none where there is no number.
// Numbers past 64 bits stay at the nearest limit.
func scanInt(s string) (v int64, n int) {
	magnitude, negative, _, n := scanMagnitude(s)
	switch {
	case magnitude <= math.MaxInt64 && negative:
		return -int64(magnitude), n
	case magnitude <= math.MaxInt64:
		return int64(magnitude), n
	case negative:
		return math.MinInt64, n
	}
	return math.MaxInt64, n
}

// ScanUint is for %u and %hhu what a C program's scanf is: it reads a decimal
// number, blanks and a sign before it included, and returns how many bytes it
// took, none where there is no number. A negative number wraps, and one past 64
// bits, of either sign, is the largest.
func ScanUint(s string) (v uint64, n int) {
	v, negative, overflow, n := scanMagnitude(s)
	if negative && !overflow {
		v = -v
	}
	return v, n
}

// scanMagnitude reads blanks, a sign and digits. Past 64 bits v is the largest
// number.
func scanMagnitude(s string) (v uint64, negative, overflow bool, n int) {
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		negative = s[n] == '-'
		n++
	}
	start := n
	for ; n < len(s) && '0' <= s[n] && s[n] <= '9'; n++ {
		digit := uint64(s[n] - '0')
		overflow = overflow || v > (math.MaxUint64-digit)/10
		v = 10*v + digit
	}
	if overflow {
		v = math.MaxUint64
	}
	if n == start {
		return 0, false, false, 0
	}
	return v, negative, overflow, n
}

// isSpace is C's isspace.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

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
