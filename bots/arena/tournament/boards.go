package tournament

import (
	"context"
	"fmt"

	"gamebots/bots/arena"
)

// playBoards plays a shard of a board game, two games of each opening.
func (s *session) playBoards(ctx context.Context, shard arena.Shard) (*arena.Result, error) {
	players := s.plan.Tables[shard.Table]
	series := arena.Series{
		Rules: s.rules, Options: s.plan.Options, A: s.bots[players[0]], B: s.bots[players[1]],
		Games: 2 * (shard.First + shard.Count), Opening: int(s.plan.Openings.Moves),
		Seed: s.plan.TableSeed(shard.Table), AtOnce: 1,
		PerMove: s.plan.Openings.PerMove,
	}
	r := &arena.Result{Tally: arena.Tally{Units: shard.Count, Scores: make([]arena.Score, 2)}}
	games := make([]arena.GameRecord, 0, 2*shard.Count)
	first := 0.0 // score of the opening's first game
	err := series.Play(ctx, 2*shard.First, func(g *arena.GameRecord) (bool, error) {
		games = append(games, *g)
		count(&r.Tally, g)
		if g.Number%2 == 0 {
			first = g.Score
			return true, nil
		}
		mean := (first + g.Score) / 2
		r.Tally.Scores[0].Observe(mean)
		r.Tally.Scores[1].Observe(1 - mean)
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("run %s, shard %d: %w", s.plan.Name, shard.Number, err)
	}
	if r.Games, err = arena.PackBoardGames(games); err != nil {
		return nil, err
	}
	return r, nil
}

// count adds a game to a tally.
func count(t *arena.Tally, g *arena.GameRecord) {
	t.Games++
	a, b := &t.Scores[0], &t.Scores[1]
	switch g.Score {
	case 1:
		a.Wins++
		b.Losses++
	case 0:
		a.Losses++
		b.Wins++
	default:
		a.Draws++
		b.Draws++
	}
	if g.Fault != "" {
		if g.Score == 0 {
			a.Faults++
		} else {
			b.Faults++
		}
	}
}
