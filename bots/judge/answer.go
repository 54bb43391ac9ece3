package judge

import (
	"context"
	"errors"
	"slices"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/evaluate/bestresponse"
)

// Answer is the best response to a subject in the game itself. Its work is the boards of the second round, each of
// which is a part; see [bestresponse.Response].
type Answer struct {
	*bestresponse.Response
	Where string // the parts are valued

	means   Means
	devices []*cudalib.Device         // none for the CPU
	parts   []bestresponse.PartValues // so far
	keep    func(part int, values bestresponse.PartValues) error
	sum     bestresponse.Sum   // parts that are added up
	save    *bestresponse.Save // nil if nothing is kept
}

// NewAnswer prepares the best response, and opens the devices if there is enough memory. It is closed after its last
// use. The error is a [*segment.GameError] for games without one. The buckets of a strategy are filled before
// ([policy.Policy.FillBuckets]).
func NewAnswer(s *Subject, m Means) (*Answer, error) {
	response, err := s.response()
	if err != nil {
		return nil, err
	}
	a := &Answer{Response: response, means: m}
	a.parts = make([]bestresponse.PartValues, a.Parts())
	a.keep = func(int, bestresponse.PartValues) error { return nil }
	if a.devices, a.Where, err = m.Device.If(a.DeviceWorthwhile()).OpenAll(); err != nil {
		return nil, err
	}
	if err := memory.Enough("the best response", a.Bytes(), m.Memory); err != nil {
		return nil, errors.Join(&MemoryError{err}, a.Close())
	}
	return a, nil
}

// MemoryError is the error for a best response that does not fit into the memory with so many threads.
type MemoryError struct{ error }

// Bytes returns how much memory all threads take, and what devices need of this computer's.
func (a *Answer) Bytes() int64 {
	bytes := a.ThreadBytes() * int64(max(1, a.means.Threads))
	if len(a.devices) > 0 {
		bytes += a.TableBytes()
	}
	return bytes
}

// Time returns how long the boards without values take on this machine, about.
func (a *Answer) Time() time.Duration {
	part := float64(a.Parts()-a.Done()) / float64(max(1, a.Parts()))
	return time.Duration(a.means.seconds(a.Response, len(a.devices)) * part * float64(time.Second)).Round(time.Second)
}

// Keep keeps finished parts in a file, and takes those that it has. The error wraps [bestresponse.ErrOtherStrategy] or
// [bestresponse.ErrForeign] for other files.
func (a *Answer) Keep(file string) (err error) {
	if a.save, a.parts, err = a.OpenSave(file); err == nil {
		a.keep, a.sum = a.save.Add, a.save.Sum
	}
	return err
}

// missing returns the numbers of the parts that have no values, and are not summed.
func (a *Answer) missing() []int {
	return slices.DeleteFunc(a.Missing(a.parts), func(part int) bool { return part < a.sum.Parts })
}

// Done returns the number of parts that have values.
func (a *Answer) Done() int { return a.Parts() - len(a.missing()) }

// Exact returns what the best response of each player wins. done, if not nil, is called after each part. When ctx ends
// it stops, and returns the cause. The file keeps the first parts as their sum.
func (a *Answer) Exact(ctx context.Context, done func()) (best [2]float64, err error) {
	const batch = 64 // parts that the file gets before it is compacted
	valued, before := 0, a.keep
	defer func() { a.keep = before }()
	a.keep = func(part int, values bestresponse.PartValues) error {
		err := before(part, values)
		if valued++; valued%batch == 0 {
			err = errors.Join(err, a.compact())
		}
		return err
	}
	if err := a.compact(); err != nil {
		return best, err
	}
	if err := errors.Join(a.value(ctx, a.missing(), done), a.compact()); err != nil {
		return best, err
	}
	return a.Best(a.sum), nil
}

// ExactLines returns what of [Answer.Exact] the responses win by line.
func (a *Answer) ExactLines() []bestresponse.Line { return a.Lines(a.sum) }

// compact adds the first parts up.
func (a *Answer) compact() error {
	if a.Extend(&a.sum, a.parts); a.save == nil {
		return nil
	}
	return a.save.Compact(a.sum, a.parts)
}

// value values the parts in a list, and calls done after each.
func (a *Answer) value(ctx context.Context, list []int, done func()) error {
	take := func(part int, values bestresponse.PartValues) error {
		a.parts[part] = values
		if done != nil {
			done()
		}
		return a.keep(part, values)
	}
	if len(a.devices) > 0 {
		return a.ValueOn(ctx, ondevice.Responses(a.devices...), list, a.means.Threads, take)
	}
	return a.Value(ctx, list, a.means.Threads, take)
}

// Close closes the devices and the file of finished parts.
func (a *Answer) Close() error {
	err := cudalib.CloseAll(a.devices)
	if a.save != nil {
		err = errors.Join(err, a.save.Close())
	}
	return err
}
