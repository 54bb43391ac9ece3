package dealer

import (
	"errors"
	"fmt"
)

// ErrUsage is a command line of too few words.
var ErrUsage = errors.New("too few arguments")

// ErrOutOfTime is an answer that came too late or not at all.
var ErrOutOfTime = errors.New("out of time")

// SeatError is the end of a match by one seat's fault.
type SeatError struct {
	Seat int // from 0; texts count from 1, as the original does
	Name string
	Hand uint32
	Err  error
}

func (e *SeatError) Error() string {
	return fmt.Sprintf("seat %d (%s) in hand %d: %v", e.Seat+1, e.Name, e.Hand, e.Err)
}

func (e *SeatError) Unwrap() error { return e.Err }

// AbsentError is a seat to which nobody came in time.
type AbsentError struct {
	Seat int // from 0
}

func (e *AbsentError) Error() string {
	return fmt.Sprintf("timed out waiting for seat %d to connect", e.Seat+1)
}

func (m *Match) seatError(seat int, hand uint32, err error) error {
	return &SeatError{Seat: seat, Name: m.Names[seat], Hand: hand, Err: err}
}

// originalError is an error for which the original server has words of its own.
type originalError struct {
	error
	text string // whole lines
}

func (e originalError) Unwrap() error { return e.error }

// withOriginalText gives an error the words of the original, those behind "ERROR: ".
func withOriginalText(err error, format string, args ...any) error {
	return originalError{err, fmt.Sprintf("ERROR: "+format, args...)}
}

// originalText returns the lines that the original prints for an error, or
// ours where it has none.
func originalText(err error) string {
	if w := (originalError{}); errors.As(err, &w) {
		return w.text
	}
	return fmt.Sprintf("ERROR: %v\n", err)
}
