package boardwise

import (
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/internal/kernels"
	"gamebots/solvers/policy"
)

// Trainer improves a strategy by counterfactual regret minimisation. An iteration updates
// both players in turn, each against the other's newest strategy. A Trainer is used by one
// goroutine at a time.
//
// A device may fail. From then on nothing is trained, and Err and all methods that need its
// results return the failure.
type Trainer struct {
	*Game
	Algorithm cfr.Algorithm

	machine    machine
	iterations uint64
	err        error
}

// machine keeps the state of a trainer.
type machine interface {
	// Traverse does work, and returns the values at the root by bucket and lane of the first
	// round.
	Traverse(w boardwisegpu.Work) ([]float32, error)
	// entriesOf returns a player's sums of strategies, or its regrets, in a round.
	entriesOf(sums bool, player, r int) (entries, error)
	Close() error
}

// NewTrainer returns a trainer on the CPU that has done no iteration, for an algorithm that
// [Supports] allows.
func NewTrainer(g *Game, a cfr.Algorithm, threads int) *Trainer {
	return &Trainer{Game: g, Algorithm: a, machine: newCPU(g, a.Quantized, max(1, threads))}
}

// Close frees the trainer's memory.
func (t *Trainer) Close() error { return t.machine.Close() }

// Err returns the failure of the device, or nil.
func (t *Trainer) Err() error { return t.err }

// Iterations returns the number of iterations done.
func (t *Trainer) Iterations() uint64 { return t.iterations }

// Step does one iteration.
func (t *Trainer) Step() {
	d := t.Algorithm.Discounts(t.iterations + 1).Single()
	for p := range 2 {
		t.traverse(boardwisegpu.Work{Purpose: boardwisegpu.Train, Player: p, Update: boardwisegpu.Update{
			Positive: d.Positive, Negative: d.Negative, Floor: d.Floor, Sum: d.Average,
			Salt: kernels.Threshold(0, t.iterations),
		}})
	}
	if t.err == nil {
		t.iterations++
	}
}

// StepUpTo does one iteration, unless the device has failed.
func (t *Trainer) StepUpTo(uint64) { t.Step() }

// traverse returns the mean of the values at the root over all deals, in chips.
func (t *Trainer) traverse(w boardwisegpu.Work) (mean float64) {
	if t.err != nil {
		return 0
	}
	values, err := t.machine.Traverse(w)
	if err != nil {
		t.err = err
		return 0
	}
	for i, weight := range t.boards[0].weight {
		mean += float64(weight) * float64(values[i*t.rounds[0].Width])
	}
	return mean
}

// Evaluate values the average strategy, with its exact best responses.
func (t *Trainer) Evaluate() publictree.Evaluation {
	value := t.traverse(boardwisegpu.Work{Purpose: boardwisegpu.Average, Player: 0})
	e := publictree.Evaluation{Value: []float64{value, -value}}
	for p := range 2 {
		e.BestResponse = append(e.BestResponse, t.traverse(boardwisegpu.Work{Purpose: boardwisegpu.Respond, Player: p}))
	}
	return e
}

// Weights returns the average strategy as weights of all entries of an index over the same
// tree and cards.
func (t *Trainer) Weights(x *policy.Index) ([]float32, error) {
	weights := make([]float32, x.Entries)
	for r, round := range t.rounds {
		for p := range 2 {
			sums, err := t.machine.entriesOf(true, p, r)
			if err != nil {
				return nil, err
			}
			t.addWeights(weights, x, r, p, round, &sums)
		}
	}
	return weights, nil
}

func (t *Trainer) addWeights(weights []float32, x *policy.Index, r, player int, round *round, sums *entries) {
	stride := t.Cards.NumBuckets(r)
	for lane, segment := range round.nodes.Lanes {
		for i, d := range round.Programs[player].Decisions {
			first := x.Entry(segment.First + round.nodes.Decisions[player][i])
			for i := range t.boards[r].boards {
				b := &t.boards[r].boards[i]
				before := (b.row*round.Width + lane/tileLanes*tileLanes*b.rows) * round.Columns[player]
				for row := range b.rows {
					for a := range int(d.Actions) {
						at := before + (int(d.Column)*b.rows+row*int(d.Actions)+a)*tileLanes + lane%tileLanes
						weights[first+a*stride+b.bucket+row] = sums.load(at)
					}
				}
			}
		}
	}
}
