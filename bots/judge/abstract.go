package judge

import (
	"context"
	"errors"

	"gamebots/bots/poker"
	"gamebots/cudalib"
	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// Abstract is a strategy in the game that it was trained in, in which it can be evaluated exactly.
type Abstract struct {
	subject *Subject
	layout  *publictree.Layout
	weights []float32 // nil until an agent is asked
}

// NewAbstract lays out the game of a strategy. The error is a [*publictree.NoBestResponseError] for cards without best
// responses, and a [*policy.SizeError] for a game that does not fit into the memory.
func NewAbstract(s *Subject, memory int64) (*Abstract, error) {
	if s.Agent != nil {
		return newListed(s, memory)
	}
	// Before the whole tree of a forgetful strategy, which takes gigabytes.
	if err := publictree.CheckCards(s.Policy); err != nil {
		return nil, err
	}
	p, err := s.Policy.Full(memory)
	if err != nil {
		return nil, err
	}
	layout, err := publictree.LayoutOf(p, memory)
	if err != nil {
		return nil, err
	}
	weights, err := p.Weights()
	if err == nil && s.Style != (poker.Style{}) {
		weights = policy.Played[float32](p.Index, weights, s.Style.Apply)
	}
	return &Abstract{s, layout, weights}, err
}

// Evaluate returns what all players win, and what best responses do, and describes where that was computed.
func (a *Abstract) Evaluate(ctx context.Context, m Means) (e publictree.Evaluation, where string, err error) {
	if a.subject.Agent != nil && a.weights == nil {
		if a.weights, err = a.ask(ctx); err != nil {
			return e, "", err
		}
	}
	d, where, err := m.Device.If(ondevice.DeviceWorthwhile(a.layout)).Open()
	if err != nil {
		return e, "", err
	}
	if d != nil {
		e, err := a.evaluateOn(d)
		if err = errors.Join(err, d.Close()); err == nil || m.Device.GPU() {
			return e, where, err
		}
		where = "the CPU: " + err.Error()
	}
	return publictree.NewEvaluator(a.layout, m.Threads).Evaluate(a.weights), where, nil
}

func (a *Abstract) evaluateOn(d *cudalib.Device) (out publictree.Evaluation, err error) {
	e, err := ondevice.NewEvaluator(d, a.layout)
	if err != nil {
		return out, err
	}
	out, err = e.Evaluate(a.weights)
	return out, errors.Join(err, e.Close())
}
