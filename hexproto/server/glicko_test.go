package server

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The worked example of the paper, to the digits that it prints.
func TestGlickoPaper(t *testing.T) {
	player := strength{1500, 200, 0.06}
	got := player.update([]scored{
		{strength{1400, 30, 0.06}, 1}, {strength{1550, 100, 0.06}, 0}, {strength{1700, 300, 0.06}, 0},
	}, 1, 0.5)
	if math.Abs(got.Rating-1464.06) > 0.02 || math.Abs(got.Deviation-151.52) > 0.01 ||
		math.Abs(got.Volatility-0.05999) > 0.00001 {
		t.Errorf("%+v, the paper has 1464.06, 151.52 and 0.05999", got)
	}
}

func TestGlickoNewPlayers(t *testing.T) {
	won, lost := rateGame(newStrength(), newStrength(), 1)
	if won.Rating-firstRating != firstRating-lost.Rating || won.Rating < 1600 || !won.provisional() {
		t.Errorf("%+v and %+v", won, lost)
	}
	// A win against a player who is known to be weak says nothing.
	won, _ = rateGame(newStrength(), strength{500, 60, firstVolatility}, 1)
	if won.Rating > firstRating+5 || won.Deviation < 0.95*maxDeviation {
		t.Errorf("after a win against a weak player: %+v", won)
	}
}

func TestGlickoPause(t *testing.T) {
	r := strength{1800, 60, firstVolatility}
	if year := r.after(365 * 24 * time.Hour); year.Rating != 1800 || math.Abs(year.Deviation-provisionalDeviation) > 1 {
		t.Errorf("after a year: %+v", year)
	}
	if forever := r.after(math.MaxInt64); forever.Deviation > maxDeviation {
		t.Errorf("after centuries: %+v", forever)
	}
	if back := r.after(-time.Hour); back != r {
		t.Errorf("after a clock that was set back: %+v", back)
	}
}

// A player of constant strength is rated by it.
func TestGlickoConverges(t *testing.T) {
	player, opponent := newStrength(), strength{1500, 60, firstVolatility}
	for range 40 { // 3 of 4 games are won: 191 points
		for _, score := range []float64{1, 1, 1, 0} {
			player = player.play(opponent, score)
		}
	}
	if math.Abs(player.Rating-1691) > 50 || player.provisional() {
		t.Errorf("%+v", player)
	}
}

// Whatever is played, ratings stay finite, a win never lowers one, a loss never raises
// one, and the stronger a beaten opponent, the larger the gain.
func TestGlickoProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	between := func(least, most float64) float64 { // the ends more often than other numbers
		return min(max(least+(1.2*random.Float64()-0.1)*(most-least), least), most)
	}
	player := func() strength {
		return strength{
			between(minRating, maxRating), between(minDeviation, maxDeviation), between(0.001, maxVolatility),
		}
	}
	for range 10_000 {
		a, b := player(), player()
		won, lost := rateGame(a, b, 1)
		drawnA, drawnB := rateGame(a, b, 0.5)
		for _, r := range []strength{won, lost, drawnA, drawnB} {
			if !(r.Rating >= minRating && r.Rating <= maxRating) ||
				!(r.Deviation >= minDeviation && r.Deviation <= maxDeviation) ||
				!(r.Volatility > 0 && r.Volatility <= maxVolatility) {
				t.Fatalf("%+v", r)
			}
		}
		if won.Rating < a.Rating || lost.Rating > b.Rating || drawnA.Rating > won.Rating ||
			drawnB.Rating < lost.Rating {
			t.Fatalf("won %+v, lost %+v, drawn %+v and %+v", won, lost, drawnA, drawnB)
		}
		stronger := b
		stronger.Rating += 100
		if more, _ := rateGame(a, stronger, 1); more.Rating < won.Rating-1e-6 {
			t.Fatalf("a win against %+v is worth %+v, one against %+v %+v", b, won, stronger, more)
		}
	}
}
