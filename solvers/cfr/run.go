package cfr

// Goal is what training is for. It is over when one of the goals that are not
// zero is reached.
type Goal struct {
	Iterations     uint64  // done in all
	Exploitability float64 // chips
}

// Progress is the state of training after an iteration.
type Progress struct {
	Iterations uint64
	// Evaluation is the latest, and Evaluated the iterations done for it.
	Evaluation Evaluation
	Evaluated  uint64
}

// evaluationGrowth is the factor between the iterations after which Run
// evaluates. Convergence is a matter of orders of magnitude, and an evaluation
// costs as much as a few iterations.
const evaluationGrowth = 1.2

// Run trains until the goal is reached or tell returns false, which is asked
// after every iteration. It evaluates the strategy from time to time, after
// fixed numbers of iterations, and at the end. It returns the final state.
func (t *Trainer) Run(e *Evaluator, goal Goal, tell func(Progress) bool) Progress {
	evaluate := func() Progress {
		return Progress{t.iterations, e.Evaluate(t.sum), t.iterations}
	}
	p := evaluate()
	due := float64(t.iterations + 1)
	for goal.Iterations == 0 || t.iterations < goal.Iterations {
		t.Step()
		p.Iterations = t.iterations
		if float64(t.iterations) >= due {
			p = evaluate()
			due = max(due*evaluationGrowth, due+1)
		}
		if !tell(p) || goal.Exploitability > 0 && p.Evaluated > 0 && p.Evaluation.Exploitability() <= goal.Exploitability {
			break
		}
	}
	if p.Evaluated != p.Iterations {
		p = evaluate()
	}
	return p
}
