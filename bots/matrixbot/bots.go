package matrixbot

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/matrix"
	"gamebots/solvers/nash"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/verify"
)

// Rules are the rules of matrix games whose options may hold the text of a game
// file, as bimatrix.Read reads it. They are a game.Analyst.
var Rules = rules{boards.Matrix{
	Parse: bimatrix.Repeated,
	NFG:   func(m *matrix.Match) []byte { return bimatrix.OfMatch(m).NFG() },
}}

type rules struct{ boards.Matrix }

// Random plays a random action.
type Random struct{ Seed uint64 }

var _, _, _ hexproto.QuickPlayer = BestReply{}, Equilibrium{}, Random{}

// Equilibrium plays a Nash equilibrium.
type Equilibrium struct{ Seed uint64 }

// Bot returns the bot of a player that knows matrix games.
func Bot(p hexproto.Player) hexproto.Bot { return hexproto.PlayerBot{Rules: Rules, Player: p} }

// Open returns a player of all actions alike.
func (r Random) Open(_ context.Context, at hexproto.Position) (hexproto.Decider, error) {
	names := boards.MatrixMatch(at.Game).Names(at.Seat)
	alike := slices.Repeat([]*big.Rat{big.NewRat(1, int64(len(names)))}, len(names))
	return engine{r.Seed, names, alike}, nil
}

// Quick returns true.
func (Random) Quick(game.Game) bool { return true }

// quickActions is the number of actions of a player with which a game is solved in about
// a millisecond.
const quickActions = 4

// Quick reports whether the game is small.
func (Equilibrium) Quick(g game.Game) bool {
	m := boards.MatrixMatch(g)
	return m != nil && max(len(m.Names(0)), len(m.Names(1))) <= quickActions
}

// Open solves the game, which takes long with many actions, and stops with the
// context.
func (e Equilibrium) Open(ctx context.Context, at hexproto.Position) (hexproto.Decider, error) {
	m := boards.MatrixMatch(at.Game)
	best, err := equilibrium(ctx, m)
	if err != nil {
		return nil, err
	}
	return engine{e.Seed, m.Names(at.Seat), [2][]*big.Rat{best.X, best.Y}[at.Seat]}, nil
}

// equilibrium solves the game of one round, and returns the equilibrium to play.
func equilibrium(ctx context.Context, m *matrix.Match) (verify.Equilibrium, error) {
	r, err := nash.Solve(ctx, bimatrix.OfMatch(m), nash.Options{Threads: 1, SkipChecks: true})
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
	names []string
	mixed []*big.Rat
}

func (e engine) Decide(_ context.Context, at hexproto.Position, _ time.Duration) (hexproto.Decision, error) {
	rng := rand.New(rand.NewPCG((e.seed^at.Seed)+uint64(at.Seat), uint64(at.Turn)))
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
