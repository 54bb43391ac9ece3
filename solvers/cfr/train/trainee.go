package train

import (
	"errors"
	"fmt"
	"strings"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/reis"
	"gamebots/solvers/strategy"
)

// Learner is an algorithm at work on a game.
type Learner interface {
	cfr.Learner
	checkpoint.State
	// Save writes the average strategy to a file.
	Save(path string, m strategy.Meta) error
}

// Training is a learner, and what there is to know of it.
type Training struct {
	Learner
	Algorithm, Cards string
	InfoSets         int
	Batch            uint64                // iterations that are done at once
	Bytes            int64                 // of regrets and strategies
	Evaluate         func() cfr.Evaluation // nil where a strategy cannot be valued
	// Respond learns a response to the strategy and returns what it wins; nil
	// where there are more than two players, or not the memory for it.
	Respond func(iterations int) *mccfr.Response

	// What a GPU may train in vector form has an algorithm and an evaluator,
	// nil for others.
	vector    cfr.Algorithm
	evaluator *cfr.Evaluator
	sampled   // what samples, nil for others
}

// sampled is a learner that samples, and how to move it to a GPU.
type sampled struct {
	sampling sampling
	// onDevice returns the same learner on a device; nil where that is not
	// possible, or not worth it unless somebody asks.
	onDevice func(d *cudalib.Device) (deviceSampling, error)
	gains    bool
	why      string // it does, or does not
}

// deviceSampling is a learner that samples and has something on a device.
type deviceSampling interface {
	sampling
	Close() error
}

// VectorNames and SamplerNames list the algorithms for people.
const (
	VectorNames  = "dcfr, cfr+, linear, cfr, pcfr+, cfr-br"
	SamplerNames = "external, outcome, chance, self-public, opponent-public, public, deals, recursive, iterative, " + reis.GPUName
)

// DefaultAlgorithm returns what trains a game well when nobody says: without
// sampling where vectors over all cards are possible.
func DefaultAlgorithm(cards string) string {
	if _, err := abstraction.ParseKind(cards); err == nil {
		return cfr.Algorithms[0].Name
	}
	return "external"
}

// New makes the learner of an algorithm's name.
func New(algorithm string, terms cfr.Terms, seed uint64, threads int, budget int64, tell func(part float64)) (*Training, error) {
	vector, err := cfr.ParseAlgorithm(algorithm)
	if err == nil {
		return newVectorTrainee(vector, terms, threads, budget)
	}
	name, _, bracket := strings.Cut(algorithm, "(")
	if name == "dcfr" {
		return nil, usererr.Usage(fmt.Errorf("--algorithm: %w", err))
	}
	method, deals := mccfr.Method{}, reis.DefaultDealBatch
	switch name {
	case "recursive", "iterative", reis.GPUName:
		if err = nil; bracket {
			return nil, usererr.Usagef("--algorithm: %s takes no batch, %q", name, algorithm)
		}
	case "deals":
		deals, err = reis.ParseDealBatch(algorithm)
	default:
		method, err = mccfr.ParseMethod(algorithm)
		if err != nil && !bracket {
			return nil, usererr.Usagef("--algorithm: unknown algorithm %q: want one of %s, %s", algorithm, VectorNames, SamplerNames)
		}
	}
	if err != nil {
		return nil, usererr.Usage(fmt.Errorf("--algorithm: %w", err))
	}
	index, err := terms.OpenIndex(budget, tell)
	if err != nil {
		return nil, err
	}
	a := &Training{Cards: index.Buckets.Name(), Bytes: 8 * int64(index.Entries)}
	if a.Bytes > budget {
		return nil, fmt.Errorf("%s with %s cards needs %s of memory for training, %s are free",
			terms.Game.Name, a.Cards, memory.Bytes(a.Bytes), memory.Bytes(budget))
	}
	game, err := mccfr.NewGame(terms.Game, terms.Actions, index.Buckets)
	if err != nil {
		return nil, err
	}
	a.InfoSets, a.Algorithm = game.InfoSets(), algorithm
	switch name {
	case "recursive":
		a.sampling = reis.NewDepthFirst(game, seed)
	case "iterative":
		a.sampling = reis.NewLevelOrder(game, seed, threads)
	case reis.GPUName:
		a.sampling = reis.NewGPUReference(game, seed, threads)
		a.onDevice = func(d *cudalib.Device) (deviceSampling, error) { return reis.NewGPU(d, game, seed) }
		a.gains, a.why = true, "as its name says"
	case "deals":
		if need := a.Bytes + reis.DealBatchBytes(game, deals); need > budget {
			return nil, fmt.Errorf("%s in batches of %d deals needs %s of memory for training, %s are free: a smaller batch needs less, as deals(1)",
				terms.Game.Name, deals, memory.Bytes(need), memory.Bytes(budget))
		}
		a.sampling = reis.NewDealBatch(game, deals, seed, threads)
		a.onDevice = func(d *cudalib.Device) (deviceSampling, error) {
			return reis.NewDealBatchGPU(d, game, deals, seed, threads)
		}
		a.gains, a.why = reis.DealBatchGPUGains(game, deals)
		a.Algorithm, a.Batch = reis.DealBatchName(deals), uint64(deals)
	default:
		a.sampling = mccfr.NewSampler(game, method, seed, threads)
		if method.Sampling == mccfr.Public && terms.Game.NumPlayers == 2 {
			a.onDevice = func(d *cudalib.Device) (deviceSampling, error) {
				return mccfr.NewPublicChanceGPU(d, game, method, seed, threads)
			}
			a.gains, a.why = mccfr.PublicChanceGPUGains(game, method.Batch)
		}
		a.Algorithm, a.Batch = method.String(), uint64(method.Batch)
	}
	a.Learner = a.sampling
	if tables := 1 + int64(terms.Game.NumPlayers); terms.Game.NumPlayers == 2 && tables*a.Bytes <= budget {
		a.Respond = func(iterations int) *mccfr.Response { return a.sampling.Respond(iterations, seed+1) }
	}
	return a, a.valued(terms, threads, budget, func() []float32 { return a.sampling.Weights() })
}

// sampling is what the trainers of package mccfr have in common.
type sampling interface {
	Learner
	Weights() []float32
	Respond(iterations int, seed uint64) *mccfr.Response
}

// newVectorTrainee makes a learner that goes through all cards at once.
func newVectorTrainee(algorithm cfr.Algorithm, terms cfr.Terms, threads int, budget int64) (*Training, error) {
	kind, err := abstraction.ParseKind(terms.Cards)
	if err != nil {
		return nil, usererr.Usagef("--algorithm: %s goes through all cards at once, which %s cards are not made for: want one of %s", algorithm, terms.Cards, SamplerNames)
	}
	layout, err := cfr.Prepare(terms.Game, terms.Actions, kind, budget)
	if err != nil {
		return nil, err
	}
	if err := layout.Fits(algorithm, budget); err != nil {
		return nil, err
	}
	t := cfr.NewTrainer(layout, algorithm, threads)
	e := cfr.NewEvaluator(layout, threads)
	return &Training{
		Learner: t, Algorithm: algorithm.String(), Cards: kind.String(),
		InfoSets: layout.InfoSets(), Bytes: 8 * int64(layout.Entries),
		Evaluate: func() cfr.Evaluation { return e.Evaluate(t.Weights()) },
		vector:   algorithm, evaluator: e,
	}, nil
}

// Place gives a learner that has not begun to the device that was chosen, and
// says which that is and why. What is on the device is freed by release.
func (t *Training) Place(choice cudalib.Choice) (where string, release func() error, err error) {
	release = func() error { return nil }
	if t.evaluator == nil {
		return t.placeSampled(choice)
	}
	if gains, why := t.evaluator.DeviceGains(); !gains && !choice.GPU() && !choice.CPU() {
		return "the CPU: " + why, release, nil
	}
	d, where, err := choice.Open()
	if d == nil {
		return where, release, err
	}
	gpu, err := cfr.NewDeviceTrainer(d, t.evaluator.Layout, t.vector, 1)
	if err != nil {
		if err = errors.Join(err, d.Close()); !choice.GPU() {
			return "the CPU: " + err.Error(), release, nil
		}
		return "", release, err
	}
	t.Learner = gpu
	e, err := cfr.NewDeviceEvaluator(d, t.evaluator.Layout)
	if err != nil { // training may just fit
		t.Evaluate = func() cfr.Evaluation { return t.evaluator.Evaluate(gpu.Weights()) }
		return where + "; evaluations on the CPU: " + err.Error(), func() error { return errors.Join(gpu.Close(), d.Close()) }, nil
	}
	t.Evaluate = func() cfr.Evaluation { return e.EvaluateTrainer(gpu) }
	return where, func() error { return errors.Join(e.Close(), gpu.Close(), d.Close()) }, nil
}

// placeSampled is place for what samples.
func (t *Training) placeSampled(choice cudalib.Choice) (where string, release func() error, err error) {
	release = func() error { return nil }
	switch {
	case t.onDevice == nil && choice.GPU():
		return "", release, usererr.Usagef("--device %v: %s is for the CPU", choice, t.Algorithm)
	case t.onDevice == nil:
		return "the CPU, which samples", release, nil
	case !t.gains && !choice.GPU() && !choice.CPU():
		return "the CPU: " + t.why, release, nil
	}
	d, where, err := choice.Open()
	if d == nil {
		return where, release, err
	}
	gpu, err := t.onDevice(d)
	if err != nil {
		if err = errors.Join(err, d.Close()); !choice.GPU() {
			return "the CPU: " + err.Error(), release, nil
		}
		return "", release, err
	}
	t.Learner, t.sampling = gpu, gpu
	return where, func() error { return errors.Join(gpu.Close(), d.Close()) }, nil
}

// valued lets strategies of a sampler be evaluated where the game is not too
// large for it.
func (a *Training) valued(terms cfr.Terms, threads int, budget int64, weights func() []float32) error {
	kind, err := abstraction.ParseKind(terms.Cards)
	if err != nil {
		return nil
	}
	layout, err := cfr.Prepare(terms.Game, terms.Actions, kind, budget)
	if errors.As(err, new(*cfr.SizeError)) {
		return nil
	}
	if err != nil {
		return err
	}
	e := cfr.NewEvaluator(layout, threads)
	a.Evaluate = func() cfr.Evaluation { return e.Evaluate(weights()) }
	a.InfoSets = layout.InfoSets() // without the padding of vectors
	return nil
}

// Actions returns the raises to train with: all of a limit game.
func Actions(g *acpc.Game, text string) (betting.Actions, error) {
	switch {
	case g.Betting == acpc.NoLimit && text == "":
		return betting.FCPA, nil
	case g.Betting == acpc.NoLimit:
		a, err := betting.ParseActions(text)
		if err != nil {
			err = usererr.Usage(fmt.Errorf("--actions: %w", err))
		}
		return a, err
	case text != "" && text != "all":
		return betting.Actions{}, usererr.Usagef("--actions: %s is a limit game, all of whose raises are trained", g.Name)
	}
	return betting.Actions{}, nil
}
