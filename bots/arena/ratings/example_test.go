package ratings_test

import (
	"fmt"

	"gamebots/bots/arena/ratings"
	"gamebots/internal/stats"
)

func ExampleRate() {
	rated, err := ratings.Rate(3, []ratings.Encounter{
		{A: 0, B: 1, Score: 75, Games: 100},
		{A: 1, B: 2, Score: 75, Games: 100},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for player, elo := range rated.Elo {
		fmt.Printf("player %d: %.0f above the last\n", player, elo-rated.Elo[2])
	}
	// Output:
	// player 0: 382 above the last
	// player 1: 191 above the last
	// player 2: 0 above the last
}

func ExampleLeague() {
	errors := []stats.Uncertainty{{Variance: 1, Freedom: 99}, {Variance: 1, Freedom: 99}} // after 100 deals
	l := ratings.League{Players: 3, Tables: []ratings.TableResult{
		{Players: []int{0, 1}, Won: []float64{10, -10}, Errors: errors},
		{Players: []int{0, 2}, Won: []float64{-5, 5}, Errors: errors},
		{Players: []int{1, 2}, Won: []float64{40, -40}, Errors: errors},
	}}
	for player, roll := range l.Bankrolls() {
		fmt.Printf("player %d: %+.1f ± %.1f\n", player, roll.Won, roll.Interval95)
	}
	// Output:
	// player 0: +2.5 ± 1.4
	// player 1: +15.0 ± 1.4
	// player 2: -17.5 ± 1.4
}
