package files

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc/dealer"
	"gamebots/acpc/history"
	"gamebots/bots/arena"
)

// writeHands writes hands as matches, one for each shard and seat order.
func writeHands(
	ctx context.Context, w io.Writer, games arena.Games, run *arena.Run, format Format,
) (n int, err error) {
	out := handWriter{format: format}
	var match *dealer.Match
	var score []float64
	var last *history.Hand // not written yet: the last hand of a match is followed by the score
	for h, err := range games.Hands(ctx, run) {
		if err != nil {
			return n, err
		}
		var before []string
		if h.State.HandID == 0 {
			if match != nil {
				before = lines(match.AppendScore(nil, score))
			}
			match = matchOf(run.Plan, h)
			score = make([]float64, len(match.Names))
			before = append(before, lines(match.AppendHeader(nil))...)
		}
		hand := &history.Hand{
			State: *h.State, Values: append([]float64(nil), h.Values[:len(match.Names)]...), Before: before,
		}
		for position := range match.Names {
			seat := match.Seat(h.State.HandID, position)
			hand.Names = append(hand.Names, match.Names[seat])
			score[seat] += hand.Values[position]
		}
		if err := out.write(w, last); err != nil {
			return n, err
		}
		last = hand
		n++
	}
	if last != nil {
		last.After = lines(match.AppendScore(nil, score))
	}
	return n, out.write(w, last)
}

// matchOf returns the match that begins with a hand.
func matchOf(p *arena.Plan, h *arena.Hand) *dealer.Match {
	shard := p.At(h.Deal/p.Shard*len(p.Tables) + h.Table)
	m := &dealer.Match{
		Name:     fmt.Sprintf("%s-table%d-part%d-order%d", p.Name, h.Table, shard.Part, h.Order),
		GameFile: p.Game, Game: h.State.Game(), Hands: uint32(shard.Count), Seed: shard.CardSeed(),
		Limits: dealer.DefaultLimits,
	}
	names := p.Names(h.Table)
	for _, player := range p.Orders[h.Order] {
		m.Names = append(m.Names, names[player])
	}
	return m
}

// lines returns the lines of a text, without their ends.
func lines(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
