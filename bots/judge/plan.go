package judge

import (
	"errors"
	"fmt"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse"
	"gamebots/solvers/policy"
)

// A Plan is the best measure that can be taken of a subject on a machine. Of several that could, it is the first one.
type Plan struct {
	Abstract *Abstract // an exact evaluation in the abstract game, or nil
	Real     bool      // an exact best response in the game itself, within [Patience]
	Local    bool      // a local best response; otherwise learned responses are left
	Boards   bool      // beside a bound: best responses to a sample of boards bound better, in some minutes
	// Why says why there is no better measure. It is nil for the first.
	Why error
}

// Patience is how long an exact best response in the game itself may take, about, for a plan to choose it.
const Patience = 10 * time.Minute

// The hands of [bestresponse.Response.Hands] that are valued in a second, by a thread of an AMD EPYC and by an H200:
// all 1,755 flops of limit hold'em take 15 hours of a core, or seven minutes. Those of the no-limit strategy that comes
// with the program, whose betting sequences have different decisions, take 16 minutes.
const (
	threadHands      = 1.7e9
	deviceHands      = 2.5e11
	deviceHandsMixed = 1.7e11
)

// seconds returns how long all values of a best response take, about, on devices or without one.
func (m *Means) seconds(r *bestresponse.Response, devices int) float64 {
	switch {
	case devices == 0:
		return r.Hands() / threadHands / float64(max(1, m.Threads))
	case r.Mixed():
		return r.Hands() / deviceHandsMixed / float64(devices)
	}
	return r.Hands() / deviceHands / float64(devices)
}

// NewPlan plans a measure. Preparing it may take seconds.
func NewPlan(s *Subject, m Means) (*Plan, error) {
	var why error
	if s.Policy != nil || s.Agent != nil {
		a, err := NewAbstract(s, m.Memory)
		if err == nil {
			return &Plan{Abstract: a}, nil
		}
		if !errors.As(err, new(*publictree.NoBestResponseError)) && !errors.As(err, new(*policy.SizeError)) &&
			!errors.As(err, new(*policy.NoFullTreeError)) && !errors.As(err, new(*questionsError)) {
			return nil, err
		}
		why = err
	}
	if s.Agent != nil {
		if s.Game.NumPlayers != 2 {
			return nil, why
		}
		return &Plan{Local: true, Why: why}, nil
	}
	late, err := tooLate(s, m)
	switch {
	case err != nil:
		return nil, err
	case late == nil:
		return &Plan{Real: true, Why: why}, nil
	}
	slow := errors.As(late, new(*slowError))
	return &Plan{Local: s.Game.NumPlayers == 2, Boards: slow, Why: errors.Join(why, late)}, nil
}

// slowError is the error for a best response that takes more than [Patience].
type slowError struct {
	game  string
	hours float64
}

func (e *slowError) Error() string {
	return fmt.Sprintf("an exact best response in %s itself takes about %.1f hours here", e.game, e.hours)
}

// tooLate returns why no best response in the game itself is computed within [Patience], or nil if one is.
func tooLate(s *Subject, m Means) (late, err error) {
	response, err := s.response()
	if errors.As(err, new(*segment.GameError)) || errors.As(err, new(*bestresponse.MenuError)) ||
		errors.As(err, new(*policy.SizeError)) || errors.As(err, new(*policy.NoFullTreeError)) {
		return err, nil
	}
	if err != nil {
		return nil, err
	}
	seconds := m.seconds(response, 0)
	if seconds > Patience.Seconds() {
		devices, _, err := m.Device.OpenAll()
		if err := errors.Join(err, cudalib.CloseAll(devices)); err != nil {
			return nil, err
		}
		if len(devices) > 0 {
			seconds = m.seconds(response, len(devices))
		}
	}
	if seconds > Patience.Seconds() {
		return &slowError{s.Game.Name, seconds / 3600}, nil
	}
	return nil, nil
}
