package ratings

import "gamebots/internal/stats"

// League has the results of a poker run: one table for every set of players that met.
// Players are numbers.
type League struct {
	Players int
	Tables  []TableResult
}

// TableResult has the winnings a hand of each player of a table, and their uncertainties.
type TableResult struct {
	Players []int
	Won     []float64
	Errors  []stats.Uncertainty
}

// Bankroll is the mean of a player's winnings a hand over its tables, with half the width
// of its 95% interval. Every table has the same weight, whatever its number of hands.
// Won is NaN for a player without a table.
type Bankroll struct{ Won, Interval95 float64 }

// Bankrolls returns the bankroll of each player. The Annual Computer Poker Competition ranked
// players by it ("total bankroll").
func (l *League) Bankrolls() []Bankroll {
	rolls, tables := make([]Bankroll, l.Players), make([]float64, l.Players)
	sums := make([]stats.Uncertainty, l.Players)
	for _, m := range l.Tables {
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
