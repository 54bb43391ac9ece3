package train

import (
	"errors"
	"fmt"
	"math"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/mccfr"
	"gamebots/solvers/cfr/mccfr/published/reis"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/policy"
)

// opening has the arguments of the registry's functions, which make a sampler.
type opening struct {
	Options
	game *mccfr.Game
}

func openSampler(t *Training, a Algorithm, o opening) error {
	t.sampler = mccfr.NewSampler(o.game, a.Method(), t.Spec.Seed, o.Threads)
	return nil
}

func openDealBatch(t *Training, a Algorithm, o opening) error {
	batch, seed := a.Batch(), t.Spec.Seed
	if need := t.Bytes + reis.DealBatchBytes(o.game, batch); need > o.Memory {
		return fmt.Errorf("%s in batches of %d deals needs %s of memory for training, %s are free: a smaller "+
			"batch needs less, as deals(1)",
			t.Spec.Game.Name, batch, memory.Bytes(need), memory.Bytes(o.Memory))
	}
	t.sampler = reis.NewDealBatch(o.game, batch, seed, o.Threads)
	t.to = func(d []*cudalib.Device) (deviceSampler, error) {
		return reis.NewDealBatchGPU(d[0], o.game, batch, seed, o.Threads)
	}
	t.worthwhile, t.reason = reis.DealBatchGPUWorthwhile(o.game, batch)
	return nil
}

func openPublicChance(t *Training, a Algorithm, o opening) error {
	index, _ := o.game.Index()
	method, seed := a.publicChance(), t.Spec.Seed
	var opponent policy.Buckets
	if t.Spec.Opponent != "" {
		var err error
		if opponent, err = cfr.OpenSampled(t.Spec.opponent(), a.bits(), o.Memory, o.OnPrepare); err != nil {
			return err
		}
	}
	games, err := publicChanceGames(index, opponent, method.Batch)
	if err != nil {
		return a.unfit(err)
	}
	bytes := func(batch int) (sum int64) {
		for _, g := range games {
			sum += g.Bytes(batch)
		}
		return sum
	}
	if t.Bytes = bytes(method.Batch); t.Bytes > o.Memory {
		fits := method.Batch / 2
		for fits > 0 && bytes(fits) > o.Memory {
			fits /= 2
		}
		hint := "fewer buckets or raises need less"
		if fits > 0 {
			hint = fmt.Sprintf("%s(%d) needs %s", a.name, fits, memory.Bytes(bytes(fits)))
		}
		t.tooLarge = fmt.Errorf("%s in batches of %d boards needs %s of memory for training, %s are free: %s",
			t.Spec.Game.Name, method.Batch, memory.Bytes(t.Bytes), memory.Bytes(o.Memory), hint)
		if !o.OnDevice {
			return t.tooLarge
		}
	}
	trainers := make([]*pcs.Trainer, len(games))
	for i, g := range games {
		trainers[i] = pcs.NewTrainer(g, method, seed, o.Threads)
	}
	t.sampler = joined(index, trainers)
	t.atOnce = math.MaxInt
	t.to = func(devices []*cudalib.Device) (deviceSampler, error) {
		t.Bytes = 0
		return onDevices(index, games, trainers, func(g *pcs.Game) (*pcs.Trainer, error) {
			t.Bytes += g.Layout().BytesOn(len(devices))
			return pcs.NewDeviceTrainer(devices, g, method, seed, o.Threads)
		})
	}
	t.worthwhile, t.reason = games[0].DeviceWorthwhile()
	return nil
}

// half is a trainer that may be for one player only.
type half interface {
	deviceSampler
	pcs.Half
}

// joined joins the trainers of two players, if there are two.
func joined[T half](x *policy.Index, trainers []T) deviceSampler {
	if len(trainers) == 1 {
		return trainers[0]
	}
	return pcs.NewPair(x, trainers[0], trainers[1])
}

// onDevices replaces the trainers of games by those that open makes, and joins them.
func onDevices[G any, T half](
	x *policy.Index, games []G, trainers []T, open func(G) (T, error),
) (deviceSampler, error) {
	for i, g := range games {
		trainer, err := open(g)
		if err != nil {
			for _, before := range trainers[:i] {
				err = errors.Join(err, before.Close())
			}
			return nil, err
		}
		trainers[i] = trainer
	}
	return joined(x, trainers), nil
}

// isPublicChance reports whether the algorithm is one of package pcs.
func (a Algorithm) isPublicChance() bool { return a.name == pcs.LinearName || a.name == pcs.PlusName }

// publicChance returns the algorithm as package pcs takes it. It must be one of its methods.
func (a Algorithm) publicChance() pcs.Method {
	return pcs.Method{Batch: a.Batch(), Plus: a.name == pcs.PlusName}
}

// unfit returns the error of a game that an algorithm does not train.
func (a Algorithm) unfit(err error) error {
	if unfit, ok := errors.AsType[*segment.GameError](err); ok {
		return &Error{FieldAlgorithm, fmt.Errorf("%s does not train %s: %s", a.name, unfit.Game, unfit.Reason)}
	}
	return err
}

func openBestResponse(t *Training, a Algorithm, o opening) error {
	index, _ := o.game.Index()
	games, err := bestResponseGames(index)
	if err != nil {
		return a.unfit(err)
	}
	onDevice := int64(0)
	t.Bytes = 0
	for _, g := range games {
		t.Bytes, onDevice = t.Bytes+g.Bytes(), onDevice+g.DeviceBytes()
	}
	if t.Bytes > o.Memory {
		t.tooLarge = fmt.Errorf("%s needs %s of memory for training by %s, %s are free: fewer buckets need less",
			t.Spec.Game.Name, memory.Bytes(t.Bytes), a.name, memory.Bytes(o.Memory))
		if !o.OnDevice {
			return t.tooLarge
		}
	}
	trainers := make([]*cfrbr.Trainer, len(games))
	for i, g := range games {
		trainers[i] = cfrbr.NewTrainer(g, t.Spec.Seed, o.Threads)
	}
	t.sampler = joined(index, trainers)
	t.to = func(d []*cudalib.Device) (deviceSampler, error) {
		t.Bytes = onDevice
		return onDevices(index, games, trainers, func(g *cfrbr.Game) (*cfrbr.Trainer, error) {
			return cfrbr.NewDeviceTrainer(d, g, t.Spec.Seed, o.Threads)
		})
	}
	t.atOnce = cfrbr.MaxDevices
	t.worthwhile, t.reason = games[0].DeviceWorthwhile()
	return nil
}

// bestResponseGames lays a game out for CFR-BR: once, or for each player against an opponent with other
// raises.
func bestResponseGames(x *policy.Index) ([]*cfrbr.Game, error) {
	if !x.Tree.Shape.Betting.HasOpponent() {
		g, err := cfrbr.New(x)
		return []*cfrbr.Game{g}, err
	}
	var games []*cfrbr.Game
	for player := range 2 {
		g, err := cfrbr.NewFor(againstOpponent(x, player), player)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}

func openDepthFirst(t *Training, _ Algorithm, o opening) error {
	t.sampler = reis.NewDepthFirst(o.game, t.Spec.Seed)
	return nil
}

func openLevelOrder(t *Training, _ Algorithm, o opening) error {
	t.sampler = reis.NewLevelOrder(o.game, t.Spec.Seed, o.Threads)
	return nil
}

func openGPUReference(t *Training, _ Algorithm, o opening) error {
	seed := t.Spec.Seed
	t.sampler = reis.NewGPUReference(o.game, seed, o.Threads)
	t.to = func(d []*cudalib.Device) (deviceSampler, error) { return reis.NewGPU(d[0], o.game, seed) }
	t.worthwhile, t.reason = true, "as its name says"
	return nil
}
