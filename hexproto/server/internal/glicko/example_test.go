package glicko_test

import (
	"fmt"
	"time"

	"gamebots/hexproto/server/internal/glicko"
)

// A new player beats one whose strength is known, and then pauses for a year.
func Example() {
	known := glicko.Rating{Rating: 1600, Deviation: 50, Volatility: glicko.FirstVolatility}
	player, known := glicko.Play(glicko.New(), known, 1)
	fmt.Printf("%.0f ± %.0f, provisional: %t\n", player.Rating, 2*player.Deviation, player.Provisional())
	fmt.Printf("%.0f ± %.0f\n", known.Rating, 2*known.Deviation)
	fmt.Printf("%.0f ± %.0f\n", known.Rating, 2*known.After(365*24*time.Hour).Deviation)
	// Output:
	// 1732 ± 506, provisional: true
	// 1594 ± 100
	// 1594 ± 210
}
