package judge

import (
	"context"
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/bots/poker/resolving"
	"gamebots/internal/memory"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/evaluate/bestresponse"
)

// Played are the settings of a sample of boards on which a strategy is answered as it plays at the table, where it
// solves rounds. The same ones give the same sample anywhere.
type Played struct {
	Boards    int // at least [bestresponse.MinSample]
	Runouts   int // how many times the cards of each later round are drawn, an even number
	Seed      uint64
	Resolving resolving.Options
	Save      string // file that keeps finished boards, and from which it goes on; "" for none
}

// The defaults of [Played].
const (
	DefaultPlayedBoards = 16
	DefaultRunouts      = 2
)

// how returns what the values of boards follow from, beside the strategy, the style of which is in its probabilities.
// Threads and memory are the machine's.
func (p *Played) how(g *acpc.Game, o *resolving.Options) string {
	how := fmt.Sprintln(p.Seed, p.Runouts, o.Iterations, o.First(g), o.Device != nil && o.Together == 0)
	if o.Bets != nil || o.Time != 0 { // files without them are as before
		how += fmt.Sprintln(o.Bets, o.Time)
	}
	return how
}

// Bound returns a lower bound of what a best response wins, and on how many boards: all, or after an interruption the
// first ones, with an error if they are too few. progress, if not nil, is called with the part that is done. The error
// wraps [bestresponse.ErrOtherStrategy] or [bestresponse.ErrForeign] for a file of something else.
func (p *Played) Bound(
	ctx context.Context, s *Subject, m Means, progress func(part float64),
) (bound bestresponse.Bound, boards int, err error) {
	if s.Policy == nil {
		return bound, 0, errors.New("only a strategy solves rounds, not a simple player or a program")
	}
	if err := s.Policy.Load(m.Memory - 4*int64(s.Policy.Len())); err != nil {
		return bound, 0, err
	}
	response, err := s.response()
	if err != nil {
		return bound, 0, err
	}
	o := p.Resolving
	count := o.SideBySide(s.Game, m.Threads, m.Memory)
	prepared, err := o.Prepare(s.Policy, memory.Available())
	if err != nil {
		return bound, 0, err
	}
	sample, values := response.NewSample(p.Seed), make([]bestresponse.PartValues, p.Boards)
	sample.Draw(p.Boards)
	keep := func(int, bestresponse.PartValues) error { return nil }
	if p.Save != "" {
		save, known, failed := response.OpenDraws(p.Save, p.how(s.Game, &o), p.Boards)
		if failed != nil {
			return bound, 0, failed
		}
		defer func() { err = errors.Join(err, save.Close()) }()
		keep, values = save.Add, known
	}
	missing := response.Missing(values)
	players := bestresponse.Players{
		New:   func() (belief.Player, error) { return resolving.NewHandStrategy(prepared, s.Style, o) },
		Count: count, From: o.First(s.Game), Runouts: p.Runouts, Seed: p.Seed,
	}
	if progress != nil {
		players.Done = func(boards float64) { progress(boards / float64(len(missing))) }
	}
	err = sample.ValuePlayed(ctx, players, missing, func(draw int, v bestresponse.PartValues) error {
		values[draw] = v
		return keep(draw, v)
	})
	values = values[:sample.Cut(values)]
	if err != nil && (ctx.Err() == nil || len(values) < bestresponse.MinSample) {
		return bound, len(values), err
	}
	return sample.Bound(values), len(values), nil
}
