package arena

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"gamebots/internal/stats"
)

// Result is the result of a shard. It depends on the plan and the shard only, if the
// players do.
type Result struct {
	Tally Tally
	// Games has the packed hands or games, see Hands and BoardGames.
	Games []byte
}

// Tally is the sum of a shard, or of several.
type Tally struct {
	Units  int     `json:"units"` // deals or openings
	Games  int     `json:"games"` // hands or games, of all orders
	Scores []Score `json:"scores"`
}

// Score is the part of a player in a tally. An observation is a unit: the mean of the
// player's hands of one deal, in chips, or of its games of one opening, in points.
type Score struct {
	Sum    float64 `json:"sum"`    // sum of the observations
	Square float64 `json:"square"` // sum of their squares
	// Of games of boards.
	Wins   int `json:"wins,omitempty"`
	Draws  int `json:"draws,omitempty"`
	Losses int `json:"losses,omitempty"`
	Faults int `json:"faults,omitempty"` // lost by failing
}

// Add adds another tally of the same table. The order of additions affects the last
// bits of the sums.
func (t *Tally) Add(other *Tally) {
	if t.Scores == nil {
		t.Scores = make([]Score, len(other.Scores))
	}
	t.Units += other.Units
	t.Games += other.Games
	for i := range t.Scores {
		s, o := &t.Scores[i], &other.Scores[i]
		s.Sum += o.Sum
		s.Square += o.Square
		s.Wins += o.Wins
		s.Draws += o.Draws
		s.Losses += o.Losses
		s.Faults += o.Faults
	}
}

// Observe adds an observation.
func (s *Score) Observe(x float64) {
	s.Sum += x
	s.Square += x * x
}

// Append appends the result in the encoding of grid jobs.
func (r *Result) Append(dst []byte) ([]byte, error) {
	tally, err := json.Marshal(r.Tally)
	if err != nil {
		return dst, err
	}
	dst = binary.AppendUvarint(dst, uint64(len(tally)))
	return append(append(dst, tally...), r.Games...), nil
}

// ParseResult decodes the text of Append. Games is part of the text.
func ParseResult(text []byte) (Result, error) {
	size, n := binary.Uvarint(text)
	if n <= 0 || size > uint64(len(text)-n) {
		return Result{}, errors.New("result of a shard: cut off")
	}
	var r Result
	if err := json.Unmarshal(text[n:n+int(size)], &r.Tally); err != nil {
		return Result{}, fmt.Errorf("result of a shard: %w", err)
	}
	r.Games = text[n+int(size):]
	return r, nil
}

// Mean returns the mean of n observations: chips a hand, or points a game.
func (s *Score) Mean(n int) float64 { return s.Sum / float64(n) }

// Uncertainty returns that of the mean of n observations; its variance is infinite for less than two.
func (s *Score) Uncertainty(n int) stats.Uncertainty {
	if n < 2 {
		return stats.Uncertainty{Variance: math.Inf(1)}
	}
	mean, freedom := s.Mean(n), float64(n-1)
	variance := max(0, (s.Square-float64(n)*mean*mean)/freedom)
	return stats.Uncertainty{Variance: variance / float64(n), Freedom: freedom}
}
