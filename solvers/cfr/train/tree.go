package train

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"strings"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/strategy"

	"github.com/zeebo/xxh3"
)

// defaultTreeAlgorithm is the algorithm of extensive games that is taken where none is asked for. In the large games of
// the table of docs/training.md none falls behind the best of them less.
const defaultTreeAlgorithm = "sapcfr+"

// Tree is an extensive game that is trained, in 64 bits and on one thread.
type Tree struct {
	*extensive.Game
	// Source is the name of a shipped game, or a file, or "". A strategy's file says it.
	Source string
}

// Name returns the name of the game: that of its source without a folder and extension, or the title.
func (t *Tree) Name() string {
	if t.Source == "" {
		return cmp.Or(t.Title, "game")
	}
	return strings.TrimSuffix(filepath.Base(t.Source), ".efg")
}

// sum identifies the game: it is the same for the same tree, names and numbers.
func (t *Tree) sum() string {
	h := xxh3.New()
	_ = t.WriteEFG(h) // a hash takes all
	return fmt.Sprintf("%x", h.Sum64())
}

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

// bytes returns the most memory that a training takes whose tables have a size, without the game.
func (t *Tree) bytes(tables int64) int64 {
	const leafBytes = 80 // with what finds the leaves
	return 3*tables + leafBytes*int64(len(t.Nodes))
}

// checkTree returns an error if the algorithm does not train extensive games.
func (a Algorithm) checkTree() error {
	switch {
	case a.IsVector() && !a.vector.Quantized:
		return nil
	case a.bits() == 16:
		return &Error{FieldStorage, fmt.Errorf("%v: extensive games are trained in 64 bits", a)}
	case a.is(sampling) && a.batch > 1:
		return &Error{FieldAlgorithm, fmt.Errorf("%v: extensive games are trained without batches", a)}
	case a.is(sampling) && !a.method.Linear && !a.method.Robust:
		return nil
	}
	return &Error{FieldAlgorithm, fmt.Errorf("%v does not train extensive games: want one of %s", a,
		strings.Join(tabular.Algorithms(), ", "))}
}

// ofTree returns the algorithm as package tabular knows it.
func (a Algorithm) ofTree() string {
	if a.IsVector() {
		return a.vector.String()
	}
	return a.name
}

// TreeSize is what the training of an extensive game takes: Actions are those of all information sets, Bytes those of
// the tree and of what is trained, and Seconds the time of an iteration on this machine.
type TreeSize struct {
	Game      string      `json:"game"`
	Algorithm string      `json:"algorithm"`
	Nodes     int         `json:"nodes"`
	InfoSets  int         `json:"information_sets"`
	Actions   int         `json:"actions"`
	Bytes     memory.Size `json:"bytes" text:"memory for training"`
	Seconds   float64     `json:"seconds" text:"an iteration here,%.3g s"`
}

// TreeSize lays out the training of an extensive game, and measures an iteration.
func (s Spec) TreeSize(ctx context.Context, o Options) (*TreeSize, error) {
	t, err := Open(s, o)
	if err != nil {
		return nil, err
	}
	// A node with its places in its parent and its information set takes 132 bytes, and the garbage collector lets
	// memory double before it begins.
	size := &TreeSize{
		Game: s.Name(), Algorithm: t.Algorithm(), Nodes: len(s.Tree.Nodes), InfoSets: t.InfoSets,
		Bytes: memory.Size(2 * (132*int64(len(s.Tree.Nodes)) + s.Tree.bytes(t.Bytes))),
	}
	for _, set := range s.Tree.Sets {
		if set.Player != extensive.Chance {
			size.Actions += len(set.Actions)
		}
	}
	const first, last = 2, 22 // the first ones read what is in no cache yet
	var start time.Time
	for n := range last {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if n == first {
			start = time.Now()
		}
		t.Step()
	}
	size.Seconds = time.Since(start).Seconds() / (last - first)
	return size, nil
}

// tabularGame is the backend of extensive games.
type tabularGame struct {
	*laidOut
	*tabular.Trainer
	sequences *extensive.Sequences
}

func layOutTree(s Spec, o Options) (backend, error) {
	q, err := s.Tree.Sequences()
	if err != nil {
		return nil, err
	}
	g := &tabularGame{sequences: q, laidOut: &laidOut{
		spec: s, algorithm: s.Algorithm.ofTree(), reason: "extensive games are trained on a CPU", where: "the CPU",
	}}
	for _, sets := range q.Sets {
		g.infoSets += len(sets)
	}
	return g, memory.Enough(s.Tree.Name(), s.Tree.bytes(g.bytes(0)), o.Memory)
}

func (g *tabularGame) bytes(int) (bytes int64) {
	for _, n := range g.sequences.Count {
		bytes += 2 * 8 * int64(n)
	}
	return bytes
}

func (g *tabularGame) start([]*cudalib.Device) (t Trainer, err error) {
	g.Trainer, err = tabular.New(g.sequences, g.algorithm, g.spec.Seed)
	return g, err
}

// Threads returns 1.
func (g *tabularGame) Threads() int { return 1 }

func (g *tabularGame) Evaluate() publictree.Evaluation { return evaluation(g.Trainer.Evaluate()) }

func (g *tabularGame) EvaluateCurrent() publictree.Evaluation {
	return evaluation(g.Trainer.EvaluateCurrent())
}

// Save writes the average strategies as JSON, which [extensive.ReadProfile] reads.
func (g *tabularGame) Save(path string, _ strategy.Meta) error {
	text, err := json.Marshal(g.spec.Tree.report(g.Trainer).JSON())
	return errors.Join(err, atomicfile.Write(path, append(text, '\n')))
}

// Train trains all players by an algorithm of package tabular for so many iterations, or until ctx is done, without a
// session. onStep is called after each with the number that are done.
func (t *Tree) Train(
	ctx context.Context, algorithm string, seed, iterations uint64, onStep func(done uint64),
) (*extensive.Report, error) {
	q, err := t.Sequences()
	if err != nil {
		return nil, err
	}
	trainer, err := tabular.New(q, algorithm, seed)
	if err != nil {
		return nil, err
	}
	for trainer.Iterations() < iterations && ctx.Err() == nil {
		trainer.Step()
		onStep(trainer.Iterations())
	}
	return t.report(trainer), nil
}

// report describes average strategies.
func (t *Tree) report(trained *tabular.Trainer) *extensive.Report {
	r := &extensive.Report{
		Game: t.Game, Source: t.Source, Method: trained.Algorithm, Profile: trained.Profile(),
		Iterations: trained.Iterations(),
	}
	values, gains := trained.Evaluate()
	for p := range values {
		r.Payoffs = append(r.Payoffs, new(big.Rat).SetFloat64(values[p]))
		r.Gains = append(r.Gains, new(big.Rat).SetFloat64(gains[p]))
	}
	return r
}

// evaluation joins values and the gains of best responses.
func evaluation(values, gains []float64) publictree.Evaluation {
	e := publictree.Evaluation{Value: values}
	for p, v := range values {
		e.BestResponse = append(e.BestResponse, v+gains[p])
	}
	return e
}
