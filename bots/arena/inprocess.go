package arena

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/internal/stats"
)

// InProcessMatch is a duplicate match of two players in this process: Hands deals,
// each played twice. It plays the same hands as a DuplicateMatch of the same seed,
// without processes and TCP.
type InProcessMatch struct {
	Game  *acpc.Game // two players
	Hands uint32
	Seed  uint32
	A, B  acpc.Player
}

// Play plays the match and returns the winnings of A in chips a hand, one
// observation a deal. An error or an illegal action of a player ends the match.
func (m *InProcessMatch) Play(ctx context.Context) (stats.Sample, error) {
	won := make([]float64, m.Hands)
	for seat := range 2 {
		players := []acpc.Player{m.A, m.B}
		if seat == 1 {
			players[0], players[1] = m.B, m.A
		}
		match := &dealer.Match{Game: m.Game, Hands: m.Hands, Seed: m.Seed, Names: []string{"first", "second"}}
		_, err := match.Play(players, func(s *acpc.State) error {
			won[s.HandID] += s.Value(match.Position(s.HandID, seat)) / 2
			return context.Cause(ctx)
		})
		if err != nil {
			return stats.Sample{}, fmt.Errorf("match with A in seat %d: %w", seat+1, err)
		}
	}
	var t stats.Sample
	for _, x := range won {
		t.Add(x)
	}
	return t, nil
}
