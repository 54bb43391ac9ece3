package arena

import (
	"math"

	"gamebots/internal/stats"
)

// Standing counts the games of a series for its player A, in their order. The two games of an
// opening share it, so that openings are the observations of intervals and tests.
type Standing struct {
	Wins, Draws, Losses int

	openings stats.Sample // mean scores of the openings whose two games were counted
	first    float64      // score of the last opening's first game
}

// Add counts the score of the next game: 1, 1/2 or 0.
func (s *Standing) Add(score float64) {
	switch score {
	case 1:
		s.Wins++
	case 0:
		s.Losses++
	default:
		s.Draws++
	}
	if s.Games()%2 == 0 {
		s.openings.Add((s.first + score) / 2)
	}
	s.first = score
}

// Games returns the number of counted games.
func (s *Standing) Games() int { return s.Wins + s.Draws + s.Losses }

// Score returns A's mean score, NaN without games.
func (s *Standing) Score() float64 {
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games())
}

// Interval95 returns the 95% confidence interval of the mean score of openings: Student's, or
// Wilson's where all had the same score. With less than two openings it is [0, 1].
func (s *Standing) Interval95() (low, high float64) {
	mean, half := s.openings.Mean(), s.openings.Interval95()
	if half == 0 {
		return stats.Score95(mean, s.openings.N)
	}
	return max(0, mean-half), min(1, mean+half)
}

// scoreOf is the inverse of [stats.Elo].
func scoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is Wald's sequential probability ratio test of two hypotheses: A is stronger
// by Elo0, or by Elo1. The probability of either kind of error is 5%.
type SPRT struct{ Elo0, Elo1 float64 }

// Ratio returns the logarithm of the likelihood ratio of Elo1 to Elo0, given the mean score of n
// openings and the variance of their scores. That is estimated from the sample (the generalised
// test); for openings that all had the same score one that was won and one that was lost are added.
func (t SPRT) Ratio(n int, mean, variance float64) float64 {
	openings := float64(n)
	if variance == 0 {
		square := openings*mean*mean + 1
		mean = (openings*mean + 1) / (openings + 2)
		openings += 2
		variance = (square - openings*mean*mean) / (openings - 1)
	}
	p0, p1 := scoreOf(t.Elo0), scoreOf(t.Elo1)
	return openings * (p1 - p0) * (2*mean - p0 - p1) / (2 * variance)
}

// Decided returns +1 if Elo1 is accepted, -1 if Elo0 is, and 0 while neither is.
func (t SPRT) Decided(n int, mean, variance float64) int {
	return stats.SPRT(t.Ratio(n, mean, variance))
}
