package dealer

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// ErrUsage is the error of a command line with too few arguments.
var ErrUsage = errors.New("too few arguments")

// ErrOutOfTime is the error of a late or missing answer.
var ErrOutOfTime = errors.New("out of time")

// SeatError is an error that one seat has caused and that ended the match.
type SeatError struct {
	Seat int // from 0; messages count from 1, as the original's do
	Name string
	Hand uint32
	Err  error
}

func (e *SeatError) Error() string {
	return fmt.Sprintf("seat %d (%s) in hand %d: %v", e.Seat+1, e.Name, e.Hand, e.Err)
}

func (e *SeatError) Unwrap() error { return e.Err }

// AbsentError is the error of a seat to which no player connected in time.
type AbsentError struct {
	Seat int // from 0
}

func (e *AbsentError) Error() string {
	return fmt.Sprintf("timed out waiting for seat %d to connect", e.Seat+1)
}

func (m *Match) seatError(seat int, hand uint32, err error) error {
	return &SeatError{Seat: seat, Name: m.Names[seat], Hand: hand, Err: err}
}

// originalError is an error with the message of the original server.
type originalError struct {
	error
	text string // whole lines
}

func (e originalError) Unwrap() error { return e.error }

// withOriginalText adds the original's message to an error, without its "ERROR: ". The system's reason,
// if there is one, follows the message, which the original has without it.
func withOriginalText(err error, format string, args ...any) error {
	text := fmt.Sprintf("ERROR: "+format, args...)
	var reason syscall.Errno
	if errors.As(err, &reason) {
		text = fmt.Sprintf("%s: %v\n", strings.TrimSuffix(text, "\n"), reason)
	}
	return originalError{err, text}
}

// originalText returns the lines that the original prints for an error, or the error's own
// text if the original has no message.
func originalText(err error) string {
	if w := (originalError{}); errors.As(err, &w) {
		return w.text
	}
	return fmt.Sprintf("ERROR: %v\n", err)
}
