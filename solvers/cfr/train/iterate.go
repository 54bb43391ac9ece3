package train

import (
	"math"

	"gamebots/solvers/cfr/ondevice"
	"gamebots/solvers/cfr/publictree"
)

// Learner is an algorithm that Iterate can train.
type Learner interface {
	// Step does one iteration, or one batch of them.
	Step()
	// Iterations returns the number of iterations done.
	Iterations() uint64
}

// batcher is a Learner that is faster when it may do several iterations at once.
type batcher interface {
	// StepUpTo does at least one and at most n iterations, unless Err is set.
	StepUpTo(n uint64)
}

var _ batcher = (*ondevice.Trainer)(nil)

// stepUpTo does iterations until at most the given number are done in all. It returns the error of a device that is not
// able to go on.
func stepUpTo(l Learner, iterations uint64) error {
	if b, ok := l.(batcher); ok {
		b.StepUpTo(iterations - l.Iterations())
	} else {
		l.Step()
	}
	return failure(l)
}

// failure returns the failure of the device on which a learner trains, if it is on one and that has failed.
func failure(l Learner) error {
	if d, ok := l.(interface{ Err() error }); ok {
		return d.Err()
	}
	return nil
}

// Goal is when a training ends: as soon as one of the goals that are not zero is
// reached.
type Goal struct {
	Iterations     uint64  // done in all
	Exploitability float64 // chips
}

// met reports whether a training is over.
func (g Goal) met(p Progress) bool {
	return g.Iterations > 0 && p.Iterations >= g.Iterations ||
		g.Exploitability > 0 && p.Evaluated > 0 && p.Evaluation.Exploitability() <= g.Exploitability
}

// missed returns a [*TargetError] if a training that is over is not as far as its goal.
func (g Goal) missed(p Progress, unit string) error {
	if x := p.Evaluation.Exploitability(); g.Exploitability > 0 && p.Evaluated > 0 && x > g.Exploitability {
		return &TargetError{x, g.Exploitability, unit, p.Iterations}
	}
	return nil
}

// Progress is the state of training after an iteration.
type Progress struct {
	Iterations uint64
	// Evaluation is the latest, and Evaluated the iterations before it, 0 where
	// there was none yet.
	Evaluation publictree.Evaluation
	Evaluated  uint64
}

// Iterate trains until the goal is reached or onProgress returns false. It calls onProgress
// after every iteration, or after several that a device does at once. The strategy is
// evaluated from time to time and at the end. evaluate may be nil; then only
// iterations are a goal. It may return an empty evaluation where it fails, and the one
// before stays the latest. Iterate returns the final state.
//
// It evaluates after fixed numbers of iterations, whenever training was started or
// resumed, so an interruption does not change where it ends. A device that fails ends
// the training: saving it returns the failure.
func Iterate(l Learner, evaluate func() publictree.Evaluation, goal Goal, onProgress func(Progress) bool) Progress {
	p := Progress{Iterations: l.Iterations()}
	evaluateNow := func() {
		if evaluate == nil || p.Evaluated == p.Iterations {
			return
		}
		if e := evaluate(); e.Value != nil {
			p.Evaluation, p.Evaluated = e, p.Iterations
		}
	}
	due := firstDue(p.Iterations)
	if due == p.Iterations {
		evaluateNow()
	}
	for !goal.met(p) {
		until := due
		if goal.Iterations > 0 {
			until = min(due, goal.Iterations)
		}
		if stepUpTo(l, until) != nil {
			return p
		}
		if p.Iterations = l.Iterations(); p.Iterations >= due {
			evaluateNow()
			due = nextDue(due)
		}
		if !onProgress(p) {
			break
		}
	}
	evaluateNow()
	return p
}

// evaluationGrowth is how many times as many iterations pass until the next evaluation, after the first one.
// Convergence is a matter of orders of magnitude, and an evaluation costs as much as a few iterations.
const evaluationGrowth = 1.2

// nextDue returns the iterations of the evaluation after one that was due.
func nextDue(due uint64) uint64 {
	return max(due+1, uint64(math.Ceil(float64(due)*evaluationGrowth)))
}

// firstDue returns the iterations of the first evaluation that is not before these
// iterations.
func firstDue(iterations uint64) uint64 {
	due := uint64(1)
	for due < iterations {
		due = nextDue(due)
	}
	return due
}
