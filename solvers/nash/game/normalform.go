package game

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"gamebots/internal/names"
)

// Bounds of games in normal form.
const (
	MaxPlayers = 16
	MaxCells   = 1 << 18 // combinations of strategies
)

// A NormalForm is a game of any number of players. A cell is a combination of
// strategies, numbered with the strategy of the first player varying fastest.
type NormalForm struct {
	Title      string
	Warning    *Warning // the first one of a file, or nil
	Players    []string
	Strategies [][]string // names by player, nil for numbers
	Sizes      []int      // numbers of strategies
	Payoffs    [][]*big.Rat
}

// A Warning is a place of a file that was not read as it is written.
type Warning struct {
	File      string
	Line, Col int // from 1
	Text      string
}

func (w *Warning) String() string { return fmt.Sprintf("%s:%d:%d: %s", w.File, w.Line, w.Col, w.Text) }

// MaxBytes exceeds the size of the file of any game that can be solved.
const MaxBytes = 16 << 20

// Cells returns the number of cells.
func (f *NormalForm) Cells() int {
	n := 1
	for _, k := range f.Sizes {
		n *= k
	}
	return n
}

// Profile returns the strategy of each player in a cell.
func (f *NormalForm) Profile(cell int) []int {
	profile := make([]int, len(f.Sizes))
	for p, n := range f.Sizes {
		profile[p] = cell % n
		cell /= n
	}
	return profile
}

// Cell returns the cell of a strategy of each player.
func (f *NormalForm) Cell(profile []int) int {
	cell, stride := 0, 1
	for p, n := range f.Sizes {
		cell += stride * profile[p]
		stride *= n
	}
	return cell
}

// Stride returns by how much the number of a cell grows with the strategy of a player.
func (f *NormalForm) Stride(player int) int {
	stride := 1
	for _, n := range f.Sizes[:player] {
		stride *= n
	}
	return stride
}

// Names returns the names of all strategies by player as [names.All] has them.
func (f *NormalForm) Names() [][]string {
	all := make([][]string, len(f.Sizes))
	for player, n := range f.Sizes {
		all[player] = names.All(f.Strategies[player], n)
	}
	return all
}

// Check returns an error for a game that is not one.
func (f *NormalForm) Check() error {
	n := len(f.Sizes)
	if n < 2 || n > MaxPlayers || len(f.Players) != n || len(f.Strategies) != n || len(f.Payoffs) != n {
		return fmt.Errorf("%d players: 2 to %d can be", n, MaxPlayers)
	}
	cells := 1
	for p, k := range f.Sizes {
		if k < 1 || cells > MaxCells/k {
			return fmt.Errorf("player %d has %d strategies: there can be at most %d combinations", p+1, k, MaxCells)
		}
		cells *= k
	}
	for _, payoffs := range f.Payoffs {
		if len(payoffs) != cells {
			return errors.New("each player needs a payoff for each combination of strategies")
		}
	}
	return nil
}

// Symmetric reports whether the game stays the same if any two players change places.
func (f *NormalForm) Symmetric() bool {
	for p := range len(f.Sizes) - 1 {
		if f.Sizes[p] != f.Sizes[p+1] {
			return false
		}
	}
	for p := range len(f.Sizes) - 1 { // neighbours suffice
		for c := range f.Cells() {
			profile := f.Profile(c)
			profile[p], profile[p+1] = profile[p+1], profile[p]
			swapped := f.Cell(profile)
			for q, payoffs := range f.Payoffs {
				switch q {
				case p:
					q = p + 1
				case p + 1:
					q = p
				}
				if payoffs[c].Cmp(f.Payoffs[q][swapped]) != 0 {
					return false
				}
			}
		}
	}
	return true
}

// ConstantSum reports whether the payoffs of all players add up to the same number in each cell.
func (f *NormalForm) ConstantSum() bool {
	var constant *big.Rat
	for c := range f.Cells() {
		sum := new(big.Rat)
		for _, payoffs := range f.Payoffs {
			sum.Add(sum, payoffs[c])
		}
		if constant == nil {
			constant = sum
		}
		if sum.Cmp(constant) != 0 {
			return false
		}
	}
	return true
}

// TiedReplies reports whether a player has two best replies to pure strategies of the others. A game
// of two players is degenerate then.
func (f *NormalForm) TiedReplies() bool {
	for p, payoffs := range f.Payoffs {
		stride := f.Stride(p)
		for c := range f.Cells() {
			if c/stride%f.Sizes[p] != 0 {
				continue // not the player's first strategy
			}
			best, tied := payoffs[c], false
			for s := 1; s < f.Sizes[p]; s++ {
				switch x := payoffs[c+s*stride]; x.Cmp(best) {
				case 1:
					best, tied = x, false
				case 0:
					tied = true
				}
			}
			if tied {
				return true
			}
		}
	}
	return false
}

// Complete adds to a game of one player a second one, who has one strategy and wins nothing. What is
// optimal for the first one is then an equilibrium.
func (f *NormalForm) Complete() {
	if len(f.Players) > 1 {
		return
	}
	nothing := make([]*big.Rat, f.Sizes[0])
	for i := range nothing {
		nothing[i] = new(big.Rat)
	}
	f.Players = []string{f.Players[0], "nobody"}
	f.Strategies, f.Sizes = append(f.Strategies, nil), append(f.Sizes, 1)
	f.Payoffs = append(f.Payoffs, nothing)
}

// NormalForm returns the same game.
func (g *Game) NormalForm() *NormalForm {
	f := &NormalForm{Title: g.Title, Players: g.Players[:], Strategies: g.Strategies[:], Sizes: []int{g.Rows, g.Cols},
		Payoffs: make([][]*big.Rat, 2)}
	for j := range g.Cols {
		for i := range g.Rows {
			f.Payoffs[0] = append(f.Payoffs[0], g.A[i*g.Cols+j])
			f.Payoffs[1] = append(f.Payoffs[1], g.B[i*g.Cols+j])
		}
	}
	return f
}

// Bimatrix returns a game of two players as matrices.
func (f *NormalForm) Bimatrix() *Game {
	g := &Game{Title: f.Title, Players: [2]string(f.Players), Strategies: [2][]string(f.Strategies), Rows: f.Sizes[0],
		Cols: f.Sizes[1]}
	for i := range g.Rows {
		for j := range g.Cols {
			cell := j*g.Rows + i
			g.A, g.B = append(g.A, f.Payoffs[0][cell]), append(g.B, f.Payoffs[1][cell])
		}
	}
	return g
}

// CellNames returns a function that returns the names of all strategies in a cell, separated by
// spaces.
func (f *NormalForm) CellNames() func(cell int) string {
	all := f.Names()
	return func(cell int) string {
		var words []string
		for player, strategy := range f.Profile(cell) {
			words = append(words, all[player][strategy])
		}
		return strings.Join(words, " ")
	}
}

// CellPayoffs returns the payoffs of a cell as fractions in lowest terms.
func (f *NormalForm) CellPayoffs(cell int) []string {
	var payoffs []string
	for _, all := range f.Payoffs {
		payoffs = append(payoffs, all[cell].RatString())
	}
	return payoffs
}
