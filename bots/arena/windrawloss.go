package arena

import (
	"math"

	"gamebots/internal/stats"
)

// WinDrawLoss counts the results of a series for its player A.
type WinDrawLoss struct{ Wins, Draws, Losses int }

// Add counts a game's score: 1, 1/2 or 0.
func (s *WinDrawLoss) Add(score float64) {
	switch score {
	case 1:
		s.Wins++
	case 0:
		s.Losses++
	default:
		s.Draws++
	}
}

// Games returns the number of counted games.
func (s WinDrawLoss) Games() int { return s.Wins + s.Draws + s.Losses }

// Score returns A's mean score, NaN without games.
func (s WinDrawLoss) Score() float64 {
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
}

// Interval95 returns Wilson's 95% confidence interval of the score, draws counted as
// half a win. Without games it is [0, 1].
func (s WinDrawLoss) Interval95() (low, high float64) { return stats.Score95(s.Score(), s.Games()) }

// scoreOf is the inverse of [stats.Elo].
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is Wald's sequential probability ratio test of two hypotheses: A is stronger
// by Elo0, or by Elo1. The probability of either kind of error is 5%.
type SPRT struct{ Elo0, Elo1 float64 }

// Ratio returns the logarithm of the likelihood ratio of Elo1 to Elo0. The variance
// of scores is estimated from the sample (the generalised test, for games with
// draws).
func (t SPRT) Ratio(s WinDrawLoss) float64 {
	n := float64(s.Games())
	if s.Wins+s.Draws == 0 || s.Losses+s.Draws == 0 || n == 0 {
		// A sample of equal results has no variance. One win and one loss are added.
		s.Wins, s.Losses = s.Wins+1, s.Losses+1
		n += 2
	}
	mean := s.Score()
	variance := (float64(s.Wins)*(1-mean)*(1-mean) + float64(s.Draws)*(0.5-mean)*(0.5-mean) +
		float64(s.Losses)*mean*mean) / n
	if variance == 0 {
		return 0 // draws only
	}
	p0, p1 := scoreOf(t.Elo0), scoreOf(t.Elo1)
	return n * (p1 - p0) * (2*mean - p0 - p1) / (2 * variance)
}

// Decided returns +1 if Elo1 is accepted, -1 if Elo0 is, and 0 while neither is.
func (t SPRT) Decided(s WinDrawLoss) int { return stats.SPRT(t.Ratio(s)) }
