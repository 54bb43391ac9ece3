package boards

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/matrix"
)

// Which positions are so alike that an analysis of one helps in a game with the other, for the rules of a
// [game.Analyst], also those that embed [Havannah] and [Matrix]. Who is to move makes no difference, as one
// stone more changes it.

const (
	// alikeFrom is how many stones positions of Havannah have in common at least: fewer are those of too
	// many openings.
	alikeFrom = 4
	// alikeStones is how many stones each of two positions may have that the other has not. As many are
	// put on, taken off or put elsewhere.
	alikeStones = 3
	// alikeBefore is how many stones a position may lack of another that has all of its own. The lines of
	// its ratings may lead on to the other.
	alikeBefore = 8
)

// Outline returns the stones, as a view has them.
func (Havannah) Outline(g game.Game) string { return g.(*havannahGame).cells() }

// Helps compares the stones of each colour, whichever way the board is turned, and with the colours
// exchanged, too.
func (Havannah) Helps(studied, played string) bool {
	stones := len(studied) - strings.Count(studied, ".")
	more := len(played) - strings.Count(played, ".") - stones
	if len(studied) != len(played) || stones < alikeFrom || more > alikeBefore || -more > alikeStones {
		return false
	}
	grid, err := havannah.GridOf(int(math.Sqrt(float64(len(studied))/3)) + 1) // it has 3*side*(side-1)+1 cells
	for i := 0; i < 2*havannah.NumSymmetries && err == nil; i++ {
		extra := 0 // stones that the game has not
		for cell := 0; cell < len(studied) && extra <= alikeStones; cell++ {
			// The last bit is the colour.
			if stone := studied[cell]; stone != '.' && played[grid.Image(cell, i/2)] != stone^byte(i%2) {
				extra++
			}
		}
		if extra <= alikeStones && stones-extra >= alikeFrom && (more+extra <= alikeStones || extra == 0) {
			return true
		}
	}
	return false
}

// Outline returns the heaps that are left, each as a letter.
func (Nim) Outline(g game.Game) (heaps string) {
	board := g.(*nimGame).board
	for heap := range board.NumHeaps() {
		size := board.Heaps().Size(heap)
		heaps += strings.Repeat(string(rune('a'+size)), min(size, 1))
	}
	return heaps
}

// Helps reports whether positions are a move apart, or a heap. Options make no difference: most of them
// leave good moves as they are.
func (Nim) Helps(studied, played string) bool {
	most := max(len(studied), len(played))
	for _, heap := range studied {
		if strings.ContainsRune(played, heap) {
			played = strings.Replace(played, string(heap), "", 1)
			most--
		}
	}
	return most <= 1
}

// Outline returns a hash of the payoffs of one round, whatever the order of actions and players.
func (Matrix) Outline(g game.Game) string { return g.(*matrixGame).outline }

// Helps reports whether the payoffs are the same, so the equilibria, too.
func (Matrix) Helps(studied, played string) bool { return studied == played }

// outline returns what [Matrix.Outline] does. In a large game that takes milliseconds.
func outline(m *matrix.Match) string {
	var cells []string
	for row := range m.Names(0) {
		for column := range m.Names(1) {
			a, b := m.Payoff(0, row, column).RatString(), m.Payoff(1, row, column).RatString()
			cells = append(cells, min(a, b)+" "+max(a, b))
		}
	}
	slices.Sort(cells)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(cells, ","))))
}
