package arena

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/internal/stats"
)

// Bout is a duplicate match of two players in process: Hands deals, each played
// twice. It plays the hands that a Duel of the same seed plays, without the
// processes and the wire.
type Bout struct {
	Game  *acpc.Game // of two players
	Hands uint32
	Seed  uint32
	A, B  dealer.Player
}

// Play plays the bout and returns what A won, as Outcome has it. A player's error
// or illegal action ends it with an error.
func (b *Bout) Play(ctx context.Context) (stats.Sample, error) {
	won := make([]float64, b.Hands)
	for seat := range 2 {
		players := []dealer.Player{b.A, b.B}
		if seat == 1 {
			players[0], players[1] = b.B, b.A
		}
		m := &dealer.Match{Game: b.Game, Hands: b.Hands, Seed: b.Seed, Names: []string{"first", "second"}}
		_, err := m.Play(players, func(s *acpc.State) error {
			won[s.HandID] += s.Value(m.Position(s.HandID, seat)) / 2
			return context.Cause(ctx)
		})
		if err != nil {
			return stats.Sample{}, fmt.Errorf("bout with A in seat %d: %w", seat+1, err)
		}
	}
	var t stats.Sample
	for _, x := range won {
		t.Add(x)
	}
	return t, nil
}
