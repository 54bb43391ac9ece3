package belief_test

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/evaluate/belief"
)

// bluffer is a player of Kuhn poker who bets every ace and a third of the queens.
type bluffer struct{}

func (bluffer) Choices(_ context.Context, s *acpc.State) (belief.Choices, error) {
	bets := map[string]float64{"A": 1, "Q": 1. / 3}
	var check, bet []float64
	for _, hole := range belief.Holes(s.Game()) {
		p := bets[hole.String()[:1]]
		check, bet = append(check, 1-p), append(bet, p)
	}
	return belief.Choices{Actions: []acpc.Action{{Type: acpc.Call}, {Type: acpc.Raise}},
		Probability: [][]float64{check, bet}}, nil
}

// Hold a king, and see the other player bet.
func Example() {
	game, err := configs.Game("kuhn")
	if err != nil {
		panic(err)
	}
	state := game.NewState(0)
	deck := game.Deck()
	state.Holes[0][0], state.Holes[1][0] = deck[2], deck[1]
	hand := belief.Begin(belief.NewEquities(game), state, 0)
	choices, err := bluffer{}.Choices(context.Background(), &hand.State)
	if err != nil {
		panic(err)
	}
	hand.Act(choices, 1)
	for i, hole := range belief.Holes(game) {
		fmt.Printf("%v %.2f\n", hole, hand.Range[i])
	}
	fmt.Printf("calling wins %.2f chips\n", hand.Showdown(belief.After(&hand.State, acpc.Action{Type: acpc.Call})))
	// Output:
	// Qs 0.25
	// Ks 0.00
	// As 0.75
	// calling wins -1.00 chips
}
