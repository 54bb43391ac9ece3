package arena

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"gamebots/internal/stats"
)

// Run is a stored run and its state when it was read.
type Run struct {
	ID      int64
	Plan    *Plan
	Version string // version of the program that began the run
	Created time.Time
	Ended   time.Time    // zero until all shards are stored
	Stored  int          // number of shards with results
	Stops   map[int]Stop // early stops, by table
}

// Stop is the early end of a table, decided by the sequential test of the plan.
type Stop struct {
	Parts   int // number of the table's shards that count
	Decided int // as Decided returns it
}

// Shards returns the number of shards to play: those of the plan, less those that
// early stops have made unnecessary.
func (r *Run) Shards() int {
	n := r.Plan.Shards()
	for _, stop := range r.Stops {
		n -= r.Plan.Shards()/len(r.Plan.Tables) - stop.Parts
	}
	return n
}

// Wanted reports whether the result of a shard counts: its table has not stopped
// before it.
func (r *Run) Wanted(shard Shard) bool {
	stop, stopped := r.Stops[shard.Table]
	return !stopped || shard.Part < stop.Parts
}

// ShardResult is the stored result of a shard.
type ShardResult struct {
	Shard
	Tally  Tally
	Packed []byte // the games; nil where only tallies are read
}

// FailedShard is a shard that failed on every try.
type FailedShard struct {
	Shard int       `json:"shard"`
	Tries int       `json:"tries"`
	Error string    `json:"error"`
	At    time.Time `json:"at"`
}

// TableGame is a board game and the table that it was played at.
type TableGame struct {
	Table int `json:"table"`
	GameRecord
}

// Games reads the hands and games of stored runs.
type Games interface {
	// Hands returns the hands of a poker run. A hand is valid until the next one.
	Hands(ctx context.Context, r *Run) iter.Seq2[*Hand, error]
	// BoardGames returns the games of a run of a board game.
	BoardGames(ctx context.Context, r *Run) iter.Seq2[*TableGame, error]
}

// Sum adds the tallies of a run by table. It adds in the order of the shards, so
// the sums have the same bits in whatever order the results arrived.
func Sum(r *Run, results []ShardResult) []Tally {
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, func(a, b ShardResult) int { return cmp.Compare(a.Number, b.Number) })
	sums := make([]Tally, len(r.Plan.Tables))
	for table, players := range r.Plan.Tables {
		sums[table].Scores = make([]Score, len(players))
	}
	for i := range sorted {
		if x := &sorted[i]; r.Wanted(x.Shard) {
			sums[x.Table].Add(&x.Tally)
		}
	}
	return sums
}

// Decided returns the decision of a plan's sequential test about a table's first player:
// +1 for the second of the two differences, -1 for the first, 0 while there is none or
// without a test.
//
// At board games the differences are in Elo and the test is SPRT, by openings. At poker they
// are in mb a hand; the means of deals are taken as normal, with the variance of the
// sample. That test begins after some deals, since few tell little of the variance.
func Decided(p *Plan, sum *Tally) int {
	if !p.Stop.Test() {
		return 0
	}
	score := &sum.Scores[0]
	if p.Kind == Board {
		test := SPRT{Elo0: p.Stop.First, Elo1: p.Stop.Second}
		variance := float64(sum.Units) * score.Uncertainty(sum.Units).Variance
		return test.Decided(sum.Units, score.Mean(sum.Units), variance)
	}
	game, err := p.Acpc()
	if err != nil || sum.Units < minDeals {
		return 0
	}
	chips := float64(game.MaxBlind()) / 1000
	low, high := p.Stop.First*chips, p.Stop.Second*chips
	ratio := (high - low) * (2*score.Mean(sum.Units) - high - low) / (2 * score.Uncertainty(sum.Units).Variance)
	return stats.SPRT(ratio)
}

// minDeals is the number of deals after which a test begins.
const minDeals = 100
