package bench

import (
	"context"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
)

// aivatMatches are duplicate matches of two strategies of a game, and of the stronger one
// with simple opponents.
type aivatMatches struct {
	game, cards, algorithm string
	stronger, weaker       uint64   // iterations of the strategies
	opponents              []string // kinds of poker.NewOpponent
	deals                  uint32   // each is played from both seats
}

var aivatWork = []aivatMatches{
	{
		game: "leduc", cards: "lossless", algorithm: "cfr+", stronger: 1000, weaker: 30,
		opponents: poker.Opponents(), deals: 20_000,
	},
	{
		game: "holdem-limit-2p", cards: "quick", algorithm: "external", stronger: 4_000_000, weaker: 1_000_000,
		opponents: []string{"random", "call"}, deals: 1500,
	},
}

// benchAIVAT plays a strategy against a weaker one and against simple opponents. It emits
// by which factor AIVAT reduces the number of hands for the same confidence interval,
// compared to duplicate deals and to independent hands.
func benchAIVAT(ctx context.Context, emit func(Row)) error {
	folder, err := os.MkdirTemp("", "gamebots-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, work := range aivatWork {
		game, err := configs.Game(work.game)
		if err != nil {
			return err
		}
		algorithm, err := train.ParseAlgorithm(work.algorithm)
		if err != nil {
			return err
		}
		var policies [2]*policy.Policy
		var strategies [2]*aivat.Strategy
		for i, iterations := range []uint64{work.stronger, work.weaker} {
			spec := train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: work.cards},
				Algorithm: algorithm, Seed: uint64(i)}
			file := filepath.Join(folder, game.Name+strconv.Itoa(i))
			if err := trainTo(ctx, spec, iterations, file); err != nil {
				return err
			}
			if policies[i], err = policy.Open(file, memory.Available(), nil); err != nil {
				return err
			}
			defer policies[i].Close()
			if strategies[i], err = aivat.ReadStrategy(policies[i], nil); err != nil {
				return err
			}
		}
		start := time.Now()
		estimator, err := aivat.New(strategies[0], strategies[0], false, runtime.NumCPU(), nil)
		if err != nil {
			return err
		}
		emit(Row{Case: game.Name, Threads: runtime.NumCPU(), Metric: "preparation",
			Value: time.Since(start).Seconds(), Unit: "s"})
		opponents := map[string]acpc.Player{"the weaker": poker.NewStrategy(policies[1], poker.Style{}, 2)}
		for _, kind := range work.opponents {
			if opponents[kind], err = poker.NewOpponent(kind, 3); err != nil {
				return err
			}
		}
		for _, name := range append([]string{"the weaker"}, work.opponents...) {
			player := poker.NewStrategy(policies[0], poker.Style{}, 1)
			if err := emitGain(ctx, game, estimator, work.deals, player, opponents[name], name, emit); err != nil {
				return err
			}
		}
		both, err := aivat.New(strategies[0], strategies[1], true, runtime.NumCPU(), nil)
		if err != nil {
			return err
		}
		player, other := poker.NewStrategy(policies[0], poker.Style{}, 1),
			poker.NewStrategy(policies[1], poker.Style{}, 2)
		if err := emitGain(ctx, game, both, work.deals, player, other, "the weaker, known too", emit); err != nil {
			return err
		}
	}
	return nil
}

// emitGain plays one match and emits its results, plain and estimated.
func emitGain(
	ctx context.Context, game *acpc.Game, estimator *aivat.Estimator, deals uint32, player, other acpc.Player,
	against string, emit func(Row),
) error {
	hands, err := duplicate(game, deals, player, other)
	if err != nil {
		return err
	}
	start := time.Now()
	e, err := ratings.EstimateHands(ctx, estimator, runtime.NumCPU(), hands)
	if err != nil {
		return err
	}
	took := time.Since(start)
	mb := 1000 / float64(game.MaxBlind())
	single := math.Pow(e.Single.StandardError()/e.Won.StandardError(), 2) // the gain of duplicate deals
	name := game.Name + " against " + against
	for _, r := range []Row{
		{Metric: "speed", Value: float64(e.Hands) / took.Seconds(), Unit: "hands/s"},
		{Metric: "won", Value: mb * e.Won.Mean(), Unit: "mb a hand"},
		{Metric: "won ±95%", Value: mb * e.Won.Interval95(), Unit: "mb a hand"},
		{Metric: "estimated", Value: mb * e.Estimated.Mean(), Unit: "mb a hand"},
		{Metric: "estimated ±95%", Value: mb * e.Estimated.Interval95(), Unit: "mb a hand"},
		{Metric: "beside deals", Value: min(e.Gain(), ratings.ExactGain), Unit: "times fewer"},
		{Metric: "beside hands", Value: min(e.Gain()*single, ratings.ExactGain), Unit: "times fewer"},
	} {
		r.Case, r.Threads = name, runtime.NumCPU()
		emit(r)
	}
	return nil
}

// duplicate plays a duplicate match in process and returns its hands, as seen by player.
func duplicate(game *acpc.Game, deals uint32, player, other acpc.Player) (iter.Seq2[ratings.Played, error], error) {
	var hands []ratings.Played
	for seat := range 2 {
		players := []acpc.Player{player, other}
		if seat == 1 {
			players[0], players[1] = other, player
		}
		m := &dealer.Match{Game: game, Hands: deals, Seed: 1, Names: []string{"first", "second"}}
		if _, err := m.Play(players, func(s *acpc.State) error {
			state := *s
			hands = append(hands,
				ratings.Played{State: &state, Position: m.Position(s.HandID, seat), Deal: strconv.Itoa(int(s.HandID))})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return func(yield func(ratings.Played, error) bool) {
		for _, h := range hands {
			if !yield(h, nil) {
				return
			}
		}
	}, nil
}
