package sequence

import (
	"context"
	"math/big"
	"slices"

	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/extensive"
)

// solveZeroSum sets optimal strategies of both sides, found by a linear program.
//
// The second side minimises what the first one wins, with payoffs shifted to be positive.
// Its columns are the weights y of the second side's sequences, and then the values u of
// the first side's sets. A row for each sequence of the first side says that the value of
// its set is at least what it wins by this action, at once and in the sets after it; a row
// for each set of the second side, that its actions have at least the weight of the
// sequence before. As less weight means less to pay, this is as good as equality. The dual
// values of the first rows are the first side's weights.
func (f *form) solveZeroSum(ctx context.Context, profile extensive.Profile) error {
	first, second := &f.sides[0], &f.sides[1]
	if (first.count+len(second.sets))*(second.count+len(first.sets)) > maxProgram {
		return ErrTooLarge
	}
	payoffs, largest := f.positive()
	value := func(set int) int { return second.count - 1 + set } // its column
	cost := slices.Repeat([]*big.Int{new(big.Int)}, value(len(first.sets)))
	rows := make([][]term, first.count-1+len(second.sets))
	right := slices.Repeat([]*big.Int{new(big.Int)}, len(rows))
	for at, x := range payoffs {
		switch s, t := at[0], at[1]; {
		case s > 0 && t > 0:
			rows[s-1] = append(rows[s-1], term{Col: t - 1, Value: new(big.Int).Neg(x)})
		case s > 0:
			right[s-1] = x
		case t > 0:
			cost[t-1] = x
		}
	}
	for i, h := range first.sets {
		for s := range h.count {
			rows[h.first+s-1] = append(rows[h.first+s-1], term{Col: value(i), Value: largest})
		}
		if h.parent == 0 {
			cost[value(i)] = largest
		} else {
			rows[h.parent-1] = append(rows[h.parent-1], term{Col: value(i), Value: new(big.Int).Neg(largest)})
		}
	}
	one := big.NewInt(1)
	for i, h := range second.sets {
		r := first.count - 1 + i
		for t := range h.count {
			rows[r] = append(rows[r], term{Col: h.first + t - 1, Value: one})
		}
		if h.parent == 0 {
			right[r] = one
		} else {
			rows[r] = append(rows[r], term{Col: h.parent - 1, Value: big.NewInt(-1)})
		}
	}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b term) int { return a.Col - b.Col })
	}
	p := &linearProgram{Cost: cost, Right: right, Row: func(i int) []term { return rows[i] }}
	optimum, err := p.Solve(ctx)
	if err != nil {
		return err
	}
	first.weight = append([]*big.Rat{big.NewRat(1, 1)}, optimum.Dual[:first.count-1]...)
	second.weight = append([]*big.Rat{big.NewRat(1, 1)}, optimum.X[:second.count-1]...)
	f.setStrategies(profile)
	return nil
}

// positive returns what the first side wins after each pair of sequences, shifted so that
// every payoff is positive, in integers, and the largest of them.
func (f *form) positive() (payoffs map[[2]int]*big.Int, largest *big.Int) {
	least, common := new(big.Rat), big.NewInt(1)
	for _, c := range f.cells {
		if c.chance.Sign() > 0 {
			x := new(big.Rat).Quo(c.payoffs[0], c.chance)
			if x.Cmp(least) < 0 {
				least = x
			}
		}
	}
	shift := new(big.Rat).Sub(big.NewRat(1, 1), least)
	shifted := make(map[[2]int]*big.Rat, len(f.cells))
	for at, c := range f.cells {
		x := new(big.Rat).Mul(shift, c.chance)
		shifted[at] = x.Add(x, c.payoffs[0])
		bimatrix.AddDenominator(common, x)
	}
	payoffs, largest = make(map[[2]int]*big.Int, len(f.cells)), big.NewInt(1)
	for at, x := range shifted {
		n := bimatrix.Scaled(x, common)
		if payoffs[at] = n; n.Cmp(largest) > 0 {
			largest = n
		}
	}
	return payoffs, largest
}
