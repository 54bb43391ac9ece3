package bench

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/configs"
)

// inProcess returns a match of a shipped game, and a player of one kind for each seat.
func inProcess(game, kind string, hands uint32) (*dealer.Match, []acpc.Player, error) {
	g, err := configs.Game(game)
	if err != nil {
		return nil, nil, err
	}
	m := &dealer.Match{Name: "bench", Game: g, Hands: hands, Seed: 1}
	players := make([]acpc.Player, g.NumPlayers)
	for i := range players {
		if players[i], err = poker.NewOpponent(kind, uint64(i)); err != nil {
			return nil, nil, err
		}
		m.Names = append(m.Names, fmt.Sprint(kind, i))
	}
	return m, players, nil
}

func benchDealer(ctx context.Context, emit func(Row)) error {
	const hands = 50_000
	for _, c := range []struct{ game, players string }{
		{"kuhn", "call"}, {"leduc", "call"}, {"leduc", "random"}, {"holdem-limit-2p", "call"},
		{"holdem-nolimit-3p", "random"},
	} {
		m, players, err := inProcess(c.game, c.players, hands)
		if err != nil {
			return err
		}
		t, err := medianTime(func() error {
			_, err := m.Play(players, func(*acpc.State) error { return context.Cause(ctx) })
			return err
		})
		if err != nil {
			return err
		}
		emit(Row{Case: c.game + ", all " + c.players, Threads: 1, Metric: "speed", Value: hands / t.Seconds(),
			Unit: "hands/s", Repeated: t.Repeated})
	}
	return benchMatches(ctx, emit)
}

// signDealer hashes the log lines of hands of small and large games.
func signDealer(_ context.Context, method methods) error {
	h := method("")
	var line []byte
	for _, game := range []string{"kuhn-3p", "leduc", "holdem-limit-2p", "holdem-nolimit-3p"} {
		m, players, err := inProcess(game, "random", 500)
		if err != nil {
			return err
		}
		_, err = m.Play(players, func(s *acpc.State) error {
			line = s.AppendResult(line[:0], m.Names)
			_, err := h.Write(append(line, '\n'))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
