package game

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"gamebots/internal/rng"
)

// Random returns the RandomGame of any number of players: independent payoffs from low
// to high, all of the first player before the next one's, with the strategy of the last
// player varying fastest. The error is that of [NormalForm.Check].
func Random(seed uint64, low, high int64, sizes ...int) (*NormalForm, error) {
	f, d, err := newGenerated("RandomGame", seed, low, high, sizes)
	if err != nil {
		return nil, err
	}
	for p := range sizes {
		f.eachCell(func(cell int, _ []int) { f.Payoffs[p][cell] = big.NewRat(d.between(low, high), 1) })
	}
	return f, nil
}

// Polymatrix returns the PolymatrixGame of any number of players: a player's payoff is the
// sum of independent payoffs from low to high against each other player, drawn player by
// player and then by the other one, with the other one's strategy varying fastest. The error
// is that of [NormalForm.Check].
func Polymatrix(seed uint64, low, high int64, sizes ...int) (*NormalForm, error) {
	f, d, err := newGenerated("PolymatrixGame", seed, low, high, sizes)
	if err != nil {
		return nil, err
	}
	for p, own := range sizes {
		f.eachCell(func(cell int, _ []int) { f.Payoffs[p][cell] = new(big.Rat) })
		for q, n := range sizes {
			if q == p {
				continue
			}
			payoffs := make([]*big.Rat, own*n)
			for i := range payoffs {
				payoffs[i] = big.NewRat(d.between(low, high), 1)
			}
			f.eachCell(func(cell int, profile []int) {
				f.Payoffs[p][cell].Add(f.Payoffs[p][cell], payoffs[profile[p]*n+profile[q]])
			})
		}
	}
	return f, nil
}

// newGenerated returns a game without payoffs, and the draws of its seed.
func newGenerated(family string, seed uint64, low, high int64, sizes []int) (*NormalForm, *draws, error) {
	f := &NormalForm{Title: fmt.Sprintf("%s %s, seed %d", family,
		strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", " x "), "[]"), seed), Sizes: sizes}
	cells := 1
	for p, n := range sizes {
		if n < 1 || cells > MaxCells/n {
			return nil, nil, fmt.Errorf("%d strategies of player %d: there can be at most %d combinations", n, p+1,
				MaxCells)
		}
		cells *= n
		f.Players, f.Strategies = append(f.Players, fmt.Sprint("Player ", p+1)), append(f.Strategies, nil)
	}
	if high < low || high-low < 0 || high-low == math.MaxInt64 {
		return nil, nil, fmt.Errorf("payoffs from %d to %d", low, high)
	}
	for range sizes {
		f.Payoffs = append(f.Payoffs, make([]*big.Rat, cells))
	}
	return f, &draws{rng.Stream(seed)}, f.Check()
}

// eachCell calls visit for all cells, with the strategy of the last player varying fastest.
func (f *NormalForm) eachCell(visit func(cell int, profile []int)) {
	profile := make([]int, len(f.Sizes))
	for range f.Cells() {
		visit(f.Cell(profile), profile)
		for last := len(f.Sizes) - 1; last >= 0; last-- {
			if profile[last]++; profile[last] < f.Sizes[last] {
				break
			}
			profile[last] = 0
		}
	}
}
