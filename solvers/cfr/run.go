package cfr

import "math"

// Learner is what Run trains: a Trainer, or a sampler of package mccfr.
type Learner interface {
	// Step does one iteration.
	Step()
	// Iterations returns how many were done.
	Iterations() uint64
}

// batch is a Learner that is faster when it may do several iterations at once,
// on a device that may fail.
type batch interface {
	// StepUpTo does at least one and at most n iterations, unless Err is set.
	StepUpTo(n uint64)
	Err() error
}

var _ batch = (*DeviceTrainer)(nil)

// stepUpTo does iterations, of which there are to be no more than so many in
// all, and says whether the learner is able to go on.
func stepUpTo(l Learner, iterations uint64) bool {
	b, ok := l.(batch)
	if !ok {
		l.Step()
		return true
	}
	b.StepUpTo(iterations - l.Iterations())
	return b.Err() == nil
}

// Goal is what training is for. It is over when one of the goals that are not
// zero is reached.
type Goal struct {
	Iterations     uint64  // done in all
	Exploitability float64 // chips
}

// met says whether a training is over.
func (g Goal) met(p Progress) bool {
	return g.Iterations > 0 && p.Iterations >= g.Iterations ||
		g.Exploitability > 0 && p.Evaluated > 0 && p.Evaluation.Exploitability() <= g.Exploitability
}

// Progress is the state of training after an iteration.
type Progress struct {
	Iterations uint64
	// Evaluation is the latest, and Evaluated the iterations done for it, 0
	// before the first.
	Evaluation Evaluation
	Evaluated  uint64
}

// Run trains until the goal is reached or tell returns false, which is asked
// after every iteration, or after several that a device does at once. The
// strategy is evaluated from time to time and at the end; without a way to
// evaluate it, which may be nil, only iterations are a goal. Run returns the
// final state.
//
// It evaluates after fixed numbers of iterations, whenever training was started
// or resumed, so that an interruption does not change where it ends. A device
// that fails ends the training: saving it returns the failure.
func Run(l Learner, evaluate func() Evaluation, goal Goal, tell func(Progress) bool) Progress {
	p := Progress{Iterations: l.Iterations()}
	look := func() {
		if evaluate != nil && p.Evaluated != p.Iterations {
			p.Evaluation, p.Evaluated = evaluate(), p.Iterations
		}
	}
	due := firstDue(p.Iterations)
	if due == p.Iterations {
		look()
	}
	for !goal.met(p) {
		until := due
		if goal.Iterations > 0 {
			until = min(due, goal.Iterations)
		}
		if !stepUpTo(l, until) {
			return p
		}
		if p.Iterations = l.Iterations(); p.Iterations >= due {
			look()
			due = nextDue(due)
		}
		if !tell(p) {
			break
		}
	}
	look()
	return p
}

// evaluationGrowth is the factor between the iterations after which Run
// evaluates. Convergence is a matter of orders of magnitude, and an evaluation
// costs as much as a few iterations.
const evaluationGrowth = 1.2

// nextDue returns the iterations of the evaluation after that of so many.
func nextDue(due uint64) uint64 {
	return max(due+1, uint64(math.Ceil(float64(due)*evaluationGrowth)))
}

// firstDue returns the iterations of the first evaluation at so many or more.
func firstDue(iterations uint64) uint64 {
	due := uint64(1)
	for due < iterations {
		due = nextDue(due)
	}
	return due
}

// Run trains with exact evaluations.
func (t *Trainer) Run(e *Evaluator, goal Goal, tell func(Progress) bool) Progress {
	return Run(t, func() Evaluation { return e.Evaluate(t.Weights()) }, goal, tell)
}
