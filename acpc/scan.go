package acpc

import "math"

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
