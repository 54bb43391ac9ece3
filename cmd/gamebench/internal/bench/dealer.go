package bench

import (
	"context"

	"gamebots/acpc"
)

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
