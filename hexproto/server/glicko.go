package server

import (
	"math"
	"time"
)

// strength is what is known about a player's strength. The true strength is within two
// deviations of the rating with a probability of about 95 %.
//
// Players are rated by Glicko-2, as Glickman describes it in "Example of the Glicko-2 system"
// (http://www.glicko.net/glicko/glicko2.pdf, 2013): a win against a player of known strength says more than one against
// a new player. Each game is a rating period of its own, as on lichess: rateGame returns both ratings after it, and a
// deviation grows with the time since the last game.
type strength struct {
	Rating     float64 // on Elo's scale: 400 points are odds of 10 to 1
	Deviation  float64 // the standard error of the rating
	Volatility float64 // how much the strength itself changes, on Glicko-2's scale
}

// The constants of Glicko-2.
const (
	// firstRating is the rating of a player without games.
	firstRating = 1500
	// maxDeviation is the deviation of a player without games, and minDeviation the
	// smallest one: below it a rating could not follow a player who learns.
	maxDeviation, minDeviation = 350, 45
	// provisionalDeviation is the largest deviation of a rating that is shown as known.
	provisionalDeviation = 110
	// firstVolatility is the volatility of a player without games.
	firstVolatility = 0.06

	// minRating and maxRating bound all ratings, so that no series of games leads to a
	// number that the formulas cannot handle.
	minRating, maxRating = 0, 4000

	// tau bounds the change of a volatility; lichess has the same.
	tau = 0.75
	// period is a rating period without games. In a year of them a deviation of 60 grows
	// to provisionalDeviation at the first volatility, as on lichess.
	period = 112 * time.Hour
	// scale is the number of points in a unit of Glicko-2's scale.
	scale = 173.7178
	// maxVolatility keeps a volatility finite, whatever the results.
	maxVolatility = 0.1
)

// newStrength returns the rating of a player without games.
func newStrength() strength { return strength{firstRating, maxDeviation, firstVolatility} }

// provisional reports whether the rating is still little more than a guess.
func (r strength) provisional() bool { return r.Deviation > provisionalDeviation }

// after returns the rating after a time without games. Only its deviation has grown.
func (r strength) after(pause time.Duration) strength {
	r.Deviation = min(maxDeviation, grow(r.Deviation, r.Volatility, periods(pause)))
	return r
}

// periods returns a pause in rating periods.
func periods(pause time.Duration) float64 { return max(0, pause.Hours()/period.Hours()) }

// grow returns a deviation after rating periods without games.
func grow(deviation, volatility, periods float64) float64 {
	return math.Sqrt(deviation*deviation + periods*math.Pow(scale*volatility, 2))
}

// rateGame returns the ratings of two players after a game with a score for a: 1 for a win, ½
// for a draw, 0 for a loss. The ratings before it are those at the time of the game.
func rateGame(a, b strength, score float64) (strength, strength) {
	return a.play(b, score), b.play(a, 1-score)
}

// toward returns the rating after a share of a game, from 0 to 1, of which the whole leads to another rating.
func (r strength) toward(after strength, share float64) strength {
	to := func(before, after float64) float64 { return before + share*(after-before) }
	return strength{to(r.Rating, after.Rating), to(r.Deviation, after.Deviation), to(r.Volatility, after.Volatility)}
}

func (r strength) play(opponent strength, score float64) strength {
	r = r.update([]scored{{opponent, score}}, 0, tau)
	r.Rating = min(max(r.Rating, minRating), maxRating)
	r.Deviation = min(max(r.Deviation, minDeviation), maxDeviation)
	r.Volatility = min(r.Volatility, maxVolatility)
	return r
}

// scored is a game against an opponent.
type scored struct {
	opponent strength
	score    float64
}

// update is the algorithm of the paper for the results of one rating period. The
// numbers are those of its steps.
func (r strength) update(results []scored, periods, tau float64) strength {
	mu, phi := (r.Rating-firstRating)/scale, r.Deviation/scale // 2
	information, improvement := 0.0, 0.0
	for _, g := range results { // 3 and 4
		weight := opponentWeight(g.opponent.Deviation / scale)
		expected := 1 / (1 + math.Exp(-weight*(mu-(g.opponent.Rating-firstRating)/scale)))
		information += weight * weight * expected * (1 - expected)
		improvement += weight * (g.score - expected)
	}
	variance := 1 / information
	volatility := newVolatility(r.Volatility, phi, variance, variance*improvement, tau) // 5
	before := math.Sqrt(phi*phi + periods*volatility*volatility)                        // 6
	phi = 1 / math.Sqrt(1/(before*before)+information)                                  // 7
	mu += phi * phi * improvement
	return strength{firstRating + scale*mu, scale * phi, volatility} // 8
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
