package acpc

import (
	"bufio"
	"fmt"
	"math"
)

// The original reads numbers with scanf of the 64-bit GNU C library: signed ones by
// strtol, unsigned ones by strtoul, and both into fewer bits. So numbers beyond 64 bits
// saturate, and those beyond the smaller type wrap; the caller's conversion does that.

// scanInt reads a decimal number as %d does, with blanks and a sign before it, and returns
// the number of bytes read, 0 if there is no number. Numbers beyond 64 bits saturate.
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

// ScanUint reads a decimal number as C's scanf does for %u and %hhu, with blanks and a
// sign before it, and returns the number of bytes read, 0 if there is no number. A
// negative number wraps; one beyond 64 bits, of either sign, is the largest number.
func ScanUint(s string) (v uint64, n int) {
	v, negative, overflow, n := scanMagnitude(s)
	if negative && !overflow {
		v = -v
	}
	return v, n
}

// scanMagnitude reads blanks, a sign and digits. Beyond 64 bits v is the largest number.
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

// MaxLogLine is the longest line of a log or a hand history in bytes, its end included:
// far longer than any hand, and short enough to refuse a device such as /dev/zero soon.
const MaxLogLine = 1 << 20

// ReadLine returns the next line with its end, as r.ReadString('\n') does. A line longer
// than MaxLogLine is an error.
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
