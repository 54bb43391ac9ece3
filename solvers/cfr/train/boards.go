package train

import (
	"errors"
	"fmt"
	"math"

	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/policy"
)

// boards is a game laid out for an algorithm that goes board by board: once, or for each player against an opponent
// with another card abstraction, other raises or both.
type boards struct {
	index   *policy.Index
	games   []boardGame
	devices int   // how many can share the work
	trees   int64 // size of betting trees beside that of the index
}

// boardGame is such a game, for both players or for one.
type boardGame interface {
	DeviceWorthwhile() (worthwhile bool, reason string)
	// bytes returns the size of regrets, strategies and batches on as many devices, or on the CPU for none.
	bytes(devices int) int64
	// start makes the trainer, on devices if there are any.
	start(devices []*cudalib.Device, seed uint64, threads int) (boardTrainer, error)
}

// boardTrainer trains both players, or is a half of a [pcs.Pair].
type boardTrainer interface {
	sampler
	pcs.Half
}

// pcsGame is the game of public chance sampling.
type pcsGame struct {
	*pcs.Game
	method pcs.Method
}

func (g pcsGame) bytes(devices int) int64 {
	if devices > 0 {
		return g.Layout().BytesOn(devices)
	}
	return g.Bytes(g.method.Batch)
}

func (g pcsGame) start(devices []*cudalib.Device, seed uint64, threads int) (boardTrainer, error) {
	return pcs.NewDeviceTrainer(devices, g.Game, g.method, seed, threads)
}

// cfrbrGame is the game of CFR-BR.
type cfrbrGame struct{ *cfrbr.Game }

func (g cfrbrGame) bytes(devices int) int64 {
	if devices > 0 {
		return g.DeviceBytes()
	}
	return g.Bytes()
}

func (g cfrbrGame) start(devices []*cudalib.Device, seed uint64, threads int) (boardTrainer, error) {
	return cfrbr.NewDeviceTrainer(devices, g.Game, seed, threads)
}

// newBoards lays out the game of an index. The opponent's cards are nil if they are those of the index.
func newBoards(a Algorithm, x *policy.Index, opponent policy.Buckets) (*boards, error) {
	b := &boards{index: x, devices: math.MaxInt}
	if a.is(bestResponse) {
		b.devices = cfrbr.MaxDevices
	}
	rules, actions, players := x.Tree.Game, x.Tree.Shape.Betting, 1
	if opponent != nil || actions.HasOpponent() {
		players = 2
	}
	for player := range players {
		own := x
		if actions.HasOpponent() {
			shape := actions.Training(player).ShapeOf(rules, betting.MaxNodes)
			own = policy.NewIndex(betting.NewTree(rules, shape), x.Buckets)
			b.trees += shape.Bytes()
		}
		g, err := newBoardGame(a, own, player, players, opponent)
		if unfit, ok := errors.AsType[*segment.GameError](err); ok {
			err = &Error{FieldAlgorithm, fmt.Errorf("%s does not train %s: %s", a.name, unfit.Game, unfit.Reason)}
		}
		if err != nil {
			return nil, err
		}
		b.games = append(b.games, g)
	}
	return b, nil
}

// newBoardGame lays out the game of a player, or of both for one of one.
func newBoardGame(a Algorithm, x *policy.Index, player, of int, opponent policy.Buckets) (boardGame, error) {
	switch {
	case a.is(bestResponse) && of == 2:
		g, err := cfrbr.NewFor(x, player)
		return cfrbrGame{g}, err
	case a.is(bestResponse):
		g, err := cfrbr.New(x)
		return cfrbrGame{g}, err
	case opponent != nil:
		g, err := pcs.NewAgainst(x, player, opponent, a.Batch())
		return pcsGame{g, a.boards()}, err
	}
	g, err := pcs.New(x, a.Batch())
	return pcsGame{g, a.boards()}, err
}

func (b *boards) bytes(devices int) (sum int64) {
	for _, g := range b.games {
		sum += g.bytes(devices)
	}
	return sum
}

// start makes the trainer, on devices if there are any.
func (b *boards) start(devices []*cudalib.Device, seed uint64, threads int) (sampler, error) {
	var trainers []boardTrainer
	for _, g := range b.games {
		t, err := g.start(devices, seed, threads)
		if err != nil {
			for _, before := range trainers {
				err = errors.Join(err, before.Close())
			}
			return nil, err
		}
		trainers = append(trainers, t)
	}
	if len(trainers) == 1 {
		return trainers[0], nil
	}
	return pcs.NewPair(b.index, trainers[0], trainers[1]), nil
}

// openBoards lets a game be trained board by board.
func openBoards(b *sampled, a Algorithm) error {
	var opponent policy.Buckets
	if b.spec.Opponent != "" {
		var err error
		if opponent, err = cfr.OpenSampled(b.spec.opponent(), a.bits(), b.Memory, b.OnPrepare); err != nil {
			return err
		}
		b.algorithm += " against " + opponent.Name()
	}
	index, _ := b.game.Index()
	x, err := newBoards(a, index, opponent)
	if err != nil {
		return err
	}
	b.devices, b.size = x.devices, x.bytes
	b.worthwhile, b.reason = x.games[0].DeviceWorthwhile()
	b.open = func(devices []*cudalib.Device) (sampler, error) {
		if len(devices) == 0 && x.bytes(0) > b.Memory {
			return nil, x.short(a, b.Memory)
		}
		return x.start(devices, b.spec.Seed, b.Threads)
	}
	return nil
}

// short returns the error where too little memory is free on the CPU, with the size of a batch that fits.
func (b *boards) short(a Algorithm, free int64) error {
	name, need, has := b.index.Tree.Game.Name, memory.Bytes(b.bytes(0)), memory.Bytes(free)
	if a.is(bestResponse) {
		return fmt.Errorf("%s needs %s of memory for training by %s, %s are free: fewer buckets need less",
			name, need, a.name, has)
	}
	hint := "fewer buckets or raises need less"
	for batch := a.Batch() / 2; batch > 0; batch /= 2 {
		bytes := int64(0)
		for _, g := range b.games {
			bytes += g.(pcsGame).Bytes(batch)
		}
		if bytes <= free {
			hint = fmt.Sprintf("%s(%d) needs %s", a.name, batch, memory.Bytes(bytes))
			break
		}
	}
	return fmt.Errorf("%s in batches of %d boards needs %s of memory for training, %s are free: %s",
		name, a.Batch(), need, has, hint)
}

// counted is a card abstraction of which only the numbers of buckets are known.
type counted []float64

func (c counted) Name() string                     { return "counted" }
func (c counted) NumBuckets(round int) int         { return int(c[round]) }
func (c counted) Bucket(int, abstraction.Deal) int { return -1 }
