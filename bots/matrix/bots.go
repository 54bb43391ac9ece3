package matrix

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/matrix"
	"gamebots/hexproto/wire"
	"gamebots/solvers/nash"
	nashgame "gamebots/solvers/nash/game"
	"gamebots/solvers/nash/verify"
)

// Rules are the rules of matrix games whose options may hold the text of a game
// file, as nashgame.Read reads it. They are a game.Analyst.
var Rules = rules{boards.Matrix{
	Parse: nashgame.Repeated,
	NFG:   func(m *matrix.Match) []byte { return nashgame.OfMatch(m).NFG() },
}}

type rules struct{ boards.Matrix }

// Random plays a random action.
type Random struct{ Seed uint64 }

// Equilibrium plays a Nash equilibrium.
type Equilibrium struct{ Seed uint64 }

var (
	_ hexproto.Bot      = Random{}
	_ hexproto.QuickBot = Random{}
	_ hexproto.Bot      = Equilibrium{}
	_ hexproto.QuickBot = Equilibrium{}
)

// Open returns an error for a game that is not a matrix game.
func (r Random) Open(_ context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	m, err := Rules.Position(game)
	if err != nil {
		return nil, err
	}
	n := len(m.Names(seat))
	return engine{r.Seed, seat, m.Names(seat), slices.Repeat([]*big.Rat{big.NewRat(1, int64(n))}, n)}, nil
}

// Quick returns true.
func (Random) Quick(*wire.Game) bool { return true }

// quickActions is the number of actions of a player with which a game is solved in about
// a millisecond.
const quickActions = 4

// Quick reports whether the game is small.
func (Equilibrium) Quick(game *wire.Game) bool {
	m, err := Rules.Position(game)
	return err == nil && max(len(m.Names(0)), len(m.Names(1))) <= quickActions
}

// Open solves the game, which takes long with many actions, and stops with the
// context. It returns an error for a game that is not a matrix game.
func (e Equilibrium) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	m, err := Rules.Position(game)
	if err != nil {
		return nil, err
	}
	best, err := equilibrium(ctx, m)
	if err != nil {
		return nil, err
	}
	return engine{e.Seed, seat, m.Names(seat), [2][]*big.Rat{best.X, best.Y}[seat]}, nil
}

// equilibrium solves the game of one round, and returns the equilibrium to play.
func equilibrium(ctx context.Context, m *matrix.Match) (verify.Equilibrium, error) {
	r, err := nash.Solve(ctx, nashgame.OfMatch(m), nash.Options{Threads: 1, SkipChecks: true})
	if err != nil {
		return verify.Equilibrium{}, err
	}
	if len(r.Equilibria) == 0 {
		return verify.Equilibrium{}, fmt.Errorf("not verified: %s", r.Problem)
	}
	return choose(r.Equilibria), nil
}

// choose returns the equilibrium to play: the one with the largest sum of payoffs,
// and of those the fairest.
func choose(all []verify.Equilibrium) verify.Equilibrium {
	return slices.MinFunc(all, func(a, b verify.Equilibrium) int {
		return cmp.Or(sum(b).Cmp(sum(a)), difference(a).Cmp(difference(b)))
	})
}

func sum(e verify.Equilibrium) *big.Rat { return new(big.Rat).Add(e.Payoffs[0], e.Payoffs[1]) }

// difference returns by how much the payoffs of the players differ.
func difference(e verify.Equilibrium) *big.Rat {
	d := new(big.Rat).Sub(e.Payoffs[0], e.Payoffs[1])
	return d.Abs(d)
}

// engine draws actions from a mixed strategy.
type engine struct {
	seed  uint64
	seat  int
	names []string
	mixed []*big.Rat
}

func (e engine) Decide(_ context.Context, game *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	rng := rand.New(rand.NewPCG(boards.Seed(e.seed, game)+uint64(e.seat), uint64(game.Turn)))
	return hexproto.Decision{Move: e.names[draw(e.mixed, rng)]}, nil
}

func (engine) Close() error { return nil }

// draw returns an index of a mixed strategy with its probability, to 2^-128.
func draw(mixed []*big.Rat, rng *rand.Rand) int {
	whole := new(big.Int).Lsh(big.NewInt(1), 128)
	number := new(big.Int).SetUint64(rng.Uint64())
	number.Lsh(number, 64).Or(number, new(big.Int).SetUint64(rng.Uint64()))
	left, last := new(big.Rat).SetFrac(number, whole), 0
	for i, p := range mixed {
		if p.Sign() == 0 {
			continue
		}
		if left.Cmp(p) < 0 {
			return i
		}
		left.Sub(left, p)
		last = i
	}
	return last
}
