package train

import (
	"context"
	"fmt"
	"time"

	"gamebots/solvers/cfr/checkpoint"
)

// Measure trains and evaluates the average strategy, and the current one where that is
// possible, after each of some numbers of iterations, in ascending order. An algorithm in
// batches is evaluated after the batch with which it reaches a number. Seconds are those of
// training alone. When ctx is done, Measure ends after the iteration at work and returns the
// cause.
func Measure(ctx context.Context, t *Training, iterations []uint64) ([]checkpoint.Point, error) {
	if !t.CanEvaluate() {
		return nil, fmt.Errorf("strategies of %s with %s cards are not evaluated", t.Spec.Name(), t.Cards)
	}
	var curve []checkpoint.Point
	var trained time.Duration
	for _, until := range iterations {
		start := time.Now()
		for t.Iterations() < until {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			if !stepUpTo(t.Trainer, until) {
				return nil, t.Trainer.(batcher).Err()
			}
		}
		trained += time.Since(start)
		e := t.Evaluate()
		p := checkpoint.Point{Iterations: t.Iterations(), Seconds: trained.Seconds(),
			Exploitability: e.Exploitability(), Values: e.Value}
		if current, ok := t.EvaluateCurrent(); ok {
			x := current.Exploitability()
			p.Current = &x
		}
		curve = append(curve, p)
	}
	return curve, nil
}
