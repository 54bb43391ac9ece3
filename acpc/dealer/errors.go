package dealer

import (
	"errors"
	"fmt"
)

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

func (m *Match) seatError(seat int, hand uint32, err error) error {
	return &SeatError{Seat: seat, Name: m.Names[seat], Hand: hand, Err: err}
}
