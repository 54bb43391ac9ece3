package ratings

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gamebots/internal/stats"
)

// League has the results of a poker run: one table for every set of players that met.
// Players are numbers.
type League struct {
	Players int
	Tables  []TableResult
}

// TableResult has the winnings a hand of each player of a table, which sum to zero, and
// their uncertainties.
type TableResult struct {
	Players []int
	Won     []float64
	Errors  []stats.Uncertainty
}

// Bankroll is the mean of a player's winnings a hand over its tables, with half the width
// of its 95% interval. Every table has the same weight, whatever its number of hands.
// Won is NaN for a player without a table.
type Bankroll struct{ Won, Interval95 float64 }

// Bankrolls returns the bankroll of each player, over the tables whose players are all in.
// The Annual Computer Poker Competition ranked players by it ("total bankroll").
func (l *League) Bankrolls(in []bool) []Bankroll {
	rolls, tables := make([]Bankroll, l.Players), make([]float64, l.Players)
	sums := make([]stats.Uncertainty, l.Players)
	for _, m := range l.Tables {
		if slices.ContainsFunc(m.Players, func(p int) bool { return !in[p] }) {
			continue
		}
		for i, p := range m.Players {
			rolls[p].Won += m.Won[i]
			sums[p] = sums[p].Add(m.Errors[i])
			tables[p]++
		}
	}
	for p := range rolls {
		rolls[p].Won /= tables[p]
		rolls[p].Interval95 = sums[p].Interval95() / tables[p]
	}
	return rolls
}

// All returns the set of all players, for Bankrolls.
func (l *League) All() []bool {
	in := make([]bool, l.Players)
	for p := range in {
		in[p] = true
	}
	return in
}

// Elimination is a round of an instant runoff: the player that it eliminates, and the
// bankrolls by which it does, NaN for players that were eliminated before.
type Elimination struct {
	Player    int
	Bankrolls []Bankroll
}

// Runoff returns the rounds of the competition's other ranking, "bankroll instant runoff".
// Each round eliminates the player with the smallest bankroll over the tables of the
// remaining players; the last player has won. So beating weak players alone is not
// enough. Of equal players the one with the larger number is eliminated first. When no
// tables remain, the players keep the order of their last round.
func (l *League) Runoff() []Elimination {
	in := l.All()
	last := make([]Bankroll, l.Players)
	var rounds []Elimination
	for range l.Players {
		rolls := l.Bankrolls(in)
		worst := -1
		for p := range rolls {
			if !in[p] {
				rolls[p] = Bankroll{math.NaN(), math.NaN()}
				continue
			}
			if !math.IsNaN(rolls[p].Won) {
				last[p] = rolls[p]
			}
			if worst < 0 || last[p].Won <= last[worst].Won {
				worst = p
			}
		}
		in[worst] = false
		rounds = append(rounds, Elimination{worst, rolls})
	}
	return rounds
}

// RunoffRanks returns the rank of each player in a runoff, from 1.
func RunoffRanks(rounds []Elimination) []int {
	ranks := make([]int, len(rounds))
	for i, out := range rounds {
		ranks[out.Player] = len(rounds) - i
	}
	return ranks
}

// Ranks returns the rank of each player by bankroll, from 1. Players without tables are
// last. Of equal players the one with the smaller number is ranked higher.
func Ranks(rolls []Bankroll) []int {
	order := make([]int, len(rolls))
	for p := range order {
		order[p] = p
	}
	won := func(p int) float64 {
		if math.IsNaN(rolls[p].Won) {
			return math.Inf(-1)
		}
		return rolls[p].Won
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(won(b), won(a)) })
	ranks := make([]int, len(rolls))
	for i, p := range order {
		ranks[p] = i + 1
	}
	return ranks
}

// RankInterval is the 95% interval of a rank, with the frequency of rank 1.
type RankInterval struct {
	Best, Worst int
	First       float64
}

// Bootstrap returns intervals of the ranks by bankroll and by runoff. It draws the results
// of every table from their normal distribution and ranks the players again, samples
// times (parametric bootstrap; Efron and Tibshirani, 1993, chapter 6.5). At tables of
// more than two, players are drawn independently and the sum is then made zero. The order of
// equal players is random.
func (l *League) Bootstrap(samples int, seed uint64) (bankroll, runoff []RankInterval) {
	rng, ofEqual := rand.New(rand.NewPCG(seed, 0)), rand.New(rand.NewPCG(seed, 1))
	counts := [2][][]int{}
	for k := range counts {
		counts[k] = make([][]int, l.Players)
		for p := range counts[k] {
			counts[k][p] = make([]int, l.Players+1)
		}
	}
	drawn := League{Players: l.Players}
	for range samples {
		numbers := ofEqual.Perm(l.Players) // equal players are ranked by them
		drawn.Tables = drawn.Tables[:0]
		for _, m := range l.Tables {
			table := m.draw(rng)
			for i, p := range m.Players {
				table.Players[i] = numbers[p]
			}
			drawn.Tables = append(drawn.Tables, table)
		}
		for k, ranks := range [][]int{Ranks(drawn.Bankrolls(drawn.All())), RunoffRanks(drawn.Runoff())} {
			for p, number := range numbers {
				counts[k][p][ranks[number]]++
			}
		}
	}
	return spans(counts[0], samples), spans(counts[1], samples)
}

// draw returns the table with random results.
func (m *TableResult) draw(rng *rand.Rand) TableResult {
	out := TableResult{Players: slices.Clone(m.Players), Errors: m.Errors, Won: make([]float64, len(m.Won))}
	if len(m.Won) == 2 {
		x := rng.NormFloat64() * math.Sqrt(m.Errors[0].Variance)
		out.Won[0], out.Won[1] = m.Won[0]+x, m.Won[1]-x
		return out
	}
	sum := 0.0
	for i := range m.Won {
		out.Won[i] = rng.NormFloat64() * math.Sqrt(m.Errors[i].Variance)
		sum += out.Won[i]
	}
	for i := range m.Won {
		out.Won[i] += m.Won[i] - sum/float64(len(m.Won))
	}
	return out
}

// spans returns the intervals of counted ranks.
func spans(counts [][]int, samples int) []RankInterval {
	out := make([]RankInterval, len(counts))
	for p, of := range counts {
		cut := samples / 40 // 2.5% on each side
		s := RankInterval{Best: 1, Worst: len(of) - 1, First: float64(of[1]) / float64(samples)}
		for n := of[s.Best]; n <= cut && s.Best < s.Worst; n += of[s.Best] {
			s.Best++
		}
		for n := of[s.Worst]; n <= cut && s.Worst > s.Best; n += of[s.Worst] {
			s.Worst--
		}
		out[p] = s
	}
	return out
}
