package train

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"strings"

	"gamebots/internal/atomicfile"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/strategy"

	"github.com/zeebo/xxh3"
)

// DefaultTreeAlgorithm is the algorithm of extensive games that is taken where none is asked for.
const DefaultTreeAlgorithm = "pdcfr+"

// Tree is an extensive game that is trained, in 64 bits and on one thread.
type Tree struct {
	*extensive.Game
	// Source is the name of a shipped game, or a file, or "". A strategy's file says it.
	Source string
}

// Name returns the name of the game: that of its source without a folder and extension, or the title.
func (t *Tree) Name() string {
	return cmp.Or(strings.TrimSuffix(filepath.Base(t.Source), ".efg"), t.Title, "game")
}

// sum identifies the game: it is the same for the same tree, names and numbers.
func (t *Tree) sum() string { return fmt.Sprintf("%x", xxh3.Hash(t.EFG())) }

// largest returns the largest payoff of an outcome, or 1 if all are 0.
func (t *Tree) largest() float64 {
	largest := 0.0
	for _, o := range t.Outcomes {
		for _, x := range o.Payoffs {
			payoff, _ := x.Float64()
			largest = max(largest, math.Abs(payoff))
		}
	}
	return cmp.Or(largest, 1)
}

// checkTree returns an error if the algorithm does not train extensive games.
func (a Algorithm) checkTree() error {
	switch {
	case a.IsVector() && !a.vector.BestResponse && !a.vector.Quantized:
		return nil
	case a.bits() == 16:
		return &Error{FieldStorage, fmt.Errorf("%v: extensive games are trained in 64 bits", a)}
	case a.method != nil && a.batch > 1:
		return &Error{FieldBatch, fmt.Errorf("%v: extensive games are trained without batches", a)}
	case a.method != nil && *a.method == (mccfr.Method{Sampling: a.method.Sampling, Batch: 1}) &&
		(a.method.Sampling == mccfr.External || a.method.Sampling == mccfr.Outcome):
		return nil
	}
	return &Error{FieldAlgorithm, fmt.Errorf("%v does not train extensive games: want one of %s", a,
		strings.Join(tabular.Algorithms(), ", "))}
}

// ofTree returns the algorithm as package tabular knows it.
func (a Algorithm) ofTree() string {
	if a.IsVector() {
		v := a.vector
		v.Double = false // all is in 64 bits
		return v.String()
	}
	return a.name
}

// openTree makes the trainer of an extensive game.
func (t *Training) openTree(o Options) error {
	q, err := t.Spec.Tree.Sequences()
	if err != nil {
		return err
	}
	for p, n := range q.Count {
		t.Bytes += 2 * 8 * int64(n)
		t.InfoSets += len(q.Sets[p])
	}
	const leafBytes = 80 // with what finds the leaves
	if err := memory.Enough(t.Spec.Tree.Name(), 3*t.Bytes+leafBytes*int64(len(q.Game.Nodes)), o.Memory); err != nil {
		return err
	}
	trainer, err := tabular.New(q, t.Spec.Algorithm.ofTree(), t.Spec.Seed)
	if err != nil {
		return err
	}
	t.Trainer = &treeTrainer{trainer, t.Spec.Tree}
	t.evaluate = func() publictree.Evaluation { return evaluation(trainer.Evaluate()) }
	t.current = func() publictree.Evaluation { return evaluation(trainer.EvaluateCurrent()) }
	return nil
}

// evaluation joins values and the gains of best responses.
func evaluation(values, gains []float64) publictree.Evaluation {
	e := publictree.Evaluation{Value: values}
	for p, v := range values {
		e.BestResponse = append(e.BestResponse, v+gains[p])
	}
	return e
}

// A treeTrainer trains an extensive game, and saves its strategies.
type treeTrainer struct {
	*tabular.Trainer
	tree *Tree
}

// Save writes the average strategies as JSON, which [extensive.ReadProfile] reads.
func (t *treeTrainer) Save(path string, _ strategy.Meta) error {
	r := extensive.Report{
		Game: t.tree.Game, Source: t.tree.Source, Method: t.Algorithm, Profile: t.Profile(),
		Iterations: t.Iterations(),
	}
	values, gains := t.Evaluate()
	for p := range values {
		r.Payoffs = append(r.Payoffs, new(big.Rat).SetFloat64(values[p]))
		r.Gains = append(r.Gains, new(big.Rat).SetFloat64(gains[p]))
	}
	var text bytes.Buffer
	return errors.Join(r.WriteJSON(&text), atomicfile.Write(path, text.Bytes()))
}
