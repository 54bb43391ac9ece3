package glicko

import (
	"math"
	"time"
)

// Rating is what is known about a player's strength. The true strength is within two
// deviations of the rating with a probability of about 95 %.
type Rating struct {
	Rating     float64 // on Elo's scale: 400 points are odds of 10 to 1
	Deviation  float64 // the standard error of the rating
	Volatility float64 // how much the strength itself changes, on Glicko-2's scale
}

// The constants of the system.
const (
	// First is the rating of a player without games.
	First = 1500
	// MaxDeviation is the deviation of a player without games, and MinDeviation the
	// smallest one: below it a rating could not follow a player who learns.
	MaxDeviation, MinDeviation = 350, 45
	// ProvisionalDeviation is the largest deviation of a rating that is shown as known.
	ProvisionalDeviation = 110
	// FirstVolatility is the volatility of a player without games.
	FirstVolatility = 0.06

	// MinRating and MaxRating bound all ratings, so that no series of games leads to a
	// number that the formulas cannot handle.
	MinRating, MaxRating = 0, 4000

	// tau bounds the change of a volatility; lichess has the same.
	tau = 0.75
	// period is a rating period without games. In a year of them a deviation of 60 grows
	// to ProvisionalDeviation at the first volatility, as on lichess.
	period = 112 * time.Hour
	// scale is the number of points in a unit of Glicko-2's scale.
	scale = 173.7178
	// maxVolatility keeps a volatility finite, whatever the results.
	maxVolatility = 0.1
)

// New returns the rating of a player without games.
func New() Rating { return Rating{First, MaxDeviation, FirstVolatility} }

// Provisional reports whether the rating is still little more than a guess.
func (r Rating) Provisional() bool { return r.Deviation > ProvisionalDeviation }

// After returns the rating after a time without games. Only its deviation has grown.
func (r Rating) After(pause time.Duration) Rating {
	r.Deviation = min(MaxDeviation, grow(r.Deviation, r.Volatility, periods(pause)))
	return r
}

// periods returns a pause in rating periods.
func periods(pause time.Duration) float64 { return max(0, pause.Hours()/period.Hours()) }

// grow returns a deviation after rating periods without games.
func grow(deviation, volatility, periods float64) float64 {
	return math.Sqrt(deviation*deviation + periods*math.Pow(scale*volatility, 2))
}

// Play returns the ratings of two players after a game with a score for a: 1 for a win, ½
// for a draw, 0 for a loss. The ratings before it are those at the time of the game.
func Play(a, b Rating, score float64) (Rating, Rating) {
	return a.play(b, score), b.play(a, 1-score)
}

// Toward returns the rating after a share of a game, from 0 to 1, of which the whole leads to another rating.
func (r Rating) Toward(after Rating, share float64) Rating {
	to := func(before, after float64) float64 { return before + share*(after-before) }
	return Rating{to(r.Rating, after.Rating), to(r.Deviation, after.Deviation), to(r.Volatility, after.Volatility)}
}

func (r Rating) play(opponent Rating, score float64) Rating {
	r = r.update([]result{{opponent, score}}, 0, tau)
	r.Rating = min(max(r.Rating, MinRating), MaxRating)
	r.Deviation = min(max(r.Deviation, MinDeviation), MaxDeviation)
	r.Volatility = min(r.Volatility, maxVolatility)
	return r
}

// result is a game against an opponent.
type result struct {
	opponent Rating
	score    float64
}

// update is the algorithm of the paper for the results of one rating period. The
// numbers are those of its steps.
func (r Rating) update(results []result, periods, tau float64) Rating {
	mu, phi := (r.Rating-First)/scale, r.Deviation/scale // 2
	information, improvement := 0.0, 0.0
	for _, g := range results { // 3 and 4
		weight := opponentWeight(g.opponent.Deviation / scale)
		expected := 1 / (1 + math.Exp(-weight*(mu-(g.opponent.Rating-First)/scale)))
		information += weight * weight * expected * (1 - expected)
		improvement += weight * (g.score - expected)
	}
	variance := 1 / information
	volatility := newVolatility(r.Volatility, phi, variance, variance*improvement, tau) // 5
	before := math.Sqrt(phi*phi + periods*volatility*volatility)                        // 6
	phi = 1 / math.Sqrt(1/(before*before)+information)                                  // 7
	mu += phi * phi * improvement
	return Rating{First + scale*mu, scale * phi, volatility} // 8
}

// opponentWeight returns what a game against an opponent counts, the less the more
// uncertain its strength is: the paper's g.
func opponentWeight(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// newVolatility is step 5 of the paper: the logarithm of the new squared volatility is
// the root of f, which the Illinois algorithm finds. Delta is the improvement that the
// results suggest.
func newVolatility(sigma, phi, variance, delta, tau float64) float64 {
	const tolerance = 1e-6
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		sum := phi*phi + variance + e
		return e*(delta*delta-sum)/(2*sum*sum) - (x-a)/(tau*tau)
	}
	low, high := a, math.Log(delta*delta-phi*phi-variance)
	if delta*delta <= phi*phi+variance {
		high = a - tau
		for f(high) < 0 {
			high -= tau
		}
	}
	atLow, atHigh := f(low), f(high)
	for math.Abs(high-low) > tolerance {
		x := low + (low-high)*atLow/(atHigh-atLow)
		atX := f(x)
		if atX*atHigh <= 0 {
			low, atLow = high, atHigh
		} else {
			atLow /= 2
		}
		high, atHigh = x, atX
	}
	return math.Exp(low / 2)
}
