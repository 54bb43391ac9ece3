package acpc

import "math"

// scanInt reads a decimal number as C's scanf does, blanks and a sign before
// it included, and returns how many bytes it took: none where there is no
// number. Beyond 64 bits it stays at the limit; the caller's conversion to
// fewer bits wraps, as it does in the original.
func scanInt(s string) (v int64, n int) {
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	negative := false
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		negative = s[n] == '-'
		n++
	}
	start := n
	for ; n < len(s) && '0' <= s[n] && s[n] <= '9'; n++ {
		digit := int64(s[n] - '0')
		if v > (math.MaxInt64-digit)/10 {
			v = math.MaxInt64
		} else {
			v = 10*v + digit
		}
	}
	if n == start {
		return 0, 0
	}
	if negative {
		v = -v
	}
	return v, n
}

// isSpace is C's isspace.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
