package train

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
)

// sampler is a trainer that samples deals.
type sampler interface {
	weighted
	NewResponse(seed uint64) (*mccfr.Response, error)
}

// sampled is the backend of algorithms that sample. They differ in what they set of it.
type sampled struct {
	*laidOut
	Options
	game *mccfr.Game
	// size is bytes, and open makes the trainer, on devices if there are any.
	size func(devices int) int64
	open func(devices []*cudalib.Device) (sampler, error)
	// value evaluates the strategy that weights of all entries describe, on the CPU. It is nil for games that are too
	// large, and for cards of a file.
	value   func(weights []float32) publictree.Evaluation
	trainer sampler
}

// sampledBy lays games out for an algorithm that open makes ready.
func sampledBy(open func(b *sampled, a Algorithm) error) func(Spec, Options) (backend, error) {
	return func(s Spec, o Options) (backend, error) {
		b, err := newSampled(s, o)
		if err == nil {
			err = open(b, b.spec.Algorithm)
		}
		if err == nil {
			err = b.prepareEvaluations()
		}
		return b, err
	}
}

// onCPU lays games out for an algorithm without devices.
func onCPU(start func(b *sampled) sampler) func(Spec, Options) (backend, error) {
	return sampledBy(func(b *sampled, _ Algorithm) error {
		b.open = func([]*cudalib.Device) (sampler, error) { return start(b), nil }
		return nil
	})
}

func newSampled(s Spec, o Options) (*sampled, error) {
	buckets, err := cfr.OpenSampled(s.GameSpec, s.Algorithm.bits(), o.Memory, o.OnPrepare)
	if err != nil {
		return nil, err
	}
	game, err := mccfr.NewGame(s.Game, s.Actions, buckets)
	if err != nil {
		return nil, err
	}
	// What laying it out has left has no room for tables, and would come on top of them.
	debug.FreeOSMemory()
	s.Algorithm = s.Algorithm.sizedFor(game)
	tables := 2 * int64(game.Entries) * int64(s.Algorithm.bits()/8)
	return &sampled{Options: o, game: game, size: func(int) int64 { return tables }, laidOut: &laidOut{
		spec: s, algorithm: s.Algorithm.String(), cards: buckets.Name(), infoSets: game.InfoSets(),
		reason: s.Algorithm.String() + " is for the CPU", where: "the CPU, which samples",
	}}, nil
}

// prepareEvaluations lets strategies be evaluated if the game is not too large for that.
func (b *sampled) prepareEvaluations() error {
	s := &b.spec
	kind, err := abstraction.ParseKind(s.Cards)
	if err != nil || !s.Actions.HasFullTree(s.Game) {
		//lint:ignore nilerr cards of a file are no kind, and not evaluated
		return nil
	}
	game, err := publictree.Prepare(s.Game, s.Actions.Remembering(), kind, b.Memory)
	if errors.As(err, new(*policy.SizeError)) {
		return nil
	}
	if err != nil {
		return err
	}
	b.value = publictree.NewEvaluator(game, b.Threads).Evaluate
	if !s.Actions.IsForgetful() {
		b.infoSets = game.InfoSets() // without the padding of vectors
	}
	return nil
}

func (b *sampled) bytes(devices int) int64 { return b.size(devices) }

func (b *sampled) start(devices []*cudalib.Device) (_ Trainer, err error) {
	b.trainer, err = b.open(devices)
	return b.trainer, err
}

func (b *sampled) CanEvaluate() bool               { return b.value != nil }
func (b *sampled) Evaluate() publictree.Evaluation { return b.evaluate(b.trainer.Weights) }
func (b *sampled) EvaluateCurrent() publictree.Evaluation {
	return b.evaluate(b.trainer.CurrentWeights)
}

func (b *sampled) evaluate(weights func() []float32) publictree.Evaluation {
	if b.value == nil {
		return publictree.Evaluation{}
	}
	return b.value(weights())
}

func (b *sampled) respond(ctx context.Context, progress func(part float64)) (*Response, error) {
	need := 3 * 4 * int64(b.game.Entries) // its regrets, and of some algorithms the strategy in two orders
	if b.value != nil || b.size(0)+need > b.Memory {
		return nil, nil
	}
	e := Effort{Iterations: uint64(ResponseIterations(b.trainer.Iterations()))}
	learned, err := b.trainer.NewResponse(b.spec.Seed + 1)
	if err == nil {
		err = e.learn(ctx, learned, progress)
	}
	if err != nil {
		return nil, err
	}
	return valued(ctx, learned, rng.At(b.spec.Seed, valueDeals))
}

func newSampler(b *sampled) sampler {
	return mccfr.NewSampler(b.game, b.spec.Algorithm.sampled(), b.spec.Seed, b.Threads)
}

func newDepthFirst(b *sampled) sampler { return reis.NewDepthFirst(b.game, b.spec.Seed) }
func newLevelOrder(b *sampled) sampler { return reis.NewLevelOrder(b.game, b.spec.Seed, b.Threads) }

func openDealBatch(b *sampled, a Algorithm) error {
	batch, seed := a.Batch(), b.spec.Seed
	b.devices = 1
	b.worthwhile, b.reason = reis.DeviceWorthwhile(b.game, batch)
	b.open = func(devices []*cudalib.Device) (sampler, error) {
		if len(devices) > 0 {
			return reis.NewDealBatchGPU(devices[0], b.game, batch, seed, b.Threads)
		}
		if need := b.size(0) + reis.DealBatchBytes(b.game, batch); need > b.Memory {
			return nil, fmt.Errorf("%s in batches of %d deals needs %s of memory for training, %s are free: a smaller "+
				"batch needs less, as deals(1)",
				b.spec.Game.Name, batch, memory.Bytes(need), memory.Bytes(b.Memory))
		}
		return reis.NewDealBatch(b.game, batch, seed, b.Threads), nil
	}
	return nil
}

func openGPUReference(b *sampled, _ Algorithm) error {
	b.devices, b.worthwhile, b.reason = 1, true, "as its name says"
	b.open = func(devices []*cudalib.Device) (sampler, error) {
		if len(devices) > 0 {
			return reis.NewGPU(devices[0], b.game, b.spec.Seed)
		}
		return reis.NewGPUReference(b.game, b.spec.Seed, b.Threads), nil
	}
	return nil
}
