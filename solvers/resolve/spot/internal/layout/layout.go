package layout

import "gamebots/acpc/card"

// The streets that a spot may begin with.
const (
	Flop = iota
	Turn
	River
	NumStreets
)

// Lanes is the number of ends of a tile.
const Lanes = 16

// Block is the number of hands that share a scale.
const Block = 8

// Place is where the entries of a decision on a board are: action by action, over as many hands
// as Width, from entry At on; and their scales.
type Place struct {
	At, Scale      int64
	Actions, Width int
}

// Layout has the tables of a spot. They do not change once it is made.
type Layout struct {
	First   int // street
	Streets Streets
	Boards  [NumStreets][]*Board
	// Base is where the entries of a board begin, and their scales: by street, player and board.
	Base    [NumStreets][2][]Place
	Size    Place                 // number of all entries, and of their scales
	Payoffs [NumStreets][]Payoffs // payoffs of ends, by node
	Widest  int                   // width of the vectors over most hands
}

// New places the entries of all decisions, and computes the payoffs of all ends: pay returns
// those of an end, with the probability of the cards until then.
func New(
	first int, streets Streets, boards [NumStreets][]*Board, pay func(n *Node, chance float64) Payoffs,
) *Layout {
	root := boards[first][0]
	l := &Layout{First: first, Streets: streets, Boards: boards, Widest: max(root.Hands[0].Width, root.Hands[1].Width)}
	for k := first; k < NumStreets; k++ {
		st := &l.Streets[k]
		for _, b := range l.Boards[k] {
			for p := range b.Hands {
				width := int64(b.Hands[p].Width)
				l.Base[k][p] = append(l.Base[k][p], l.Size)
				l.Size.At += int64(st.Rows[p]) * width
				l.Size.Scale += int64(st.Decisions[p]) * width / Block
			}
		}
		l.Payoffs[k] = st.Pay(func(n *Node) Payoffs { return pay(n, l.Chance(k)) })
	}
	return l
}

// Pay returns the payoffs of a street's ends by node.
func (st *Street) Pay(of func(n *Node) Payoffs) []Payoffs {
	all := make([]Payoffs, len(st.Nodes))
	for i := range st.Nodes {
		if n := &st.Nodes[i]; n.Ends() {
			all[i] = of(n)
		}
	}
	return all
}

// Root returns the first board.
func (l *Layout) Root() *Board { return l.Boards[l.First][0] }

// Decision returns where the entries of a decision on a board are.
func (l *Layout) Decision(k, on int, n *Node) Place {
	base, width := l.Base[k][n.Actor][on], l.Boards[k][on].Hands[n.Actor].Width
	return Place{
		At: base.At + int64(n.Row)*int64(width), Scale: base.Scale + int64(n.Order)*int64(width/Block),
		Actions: int(n.Actions), Width: width,
	}
}

// Chance returns the probability of the cards from the root to a street, if two hands are
// known.
func (l *Layout) Chance(k int) float64 {
	x := 1.0
	for street := l.First; street < k; street++ {
		x /= float64(card.DeckSize - 3 - street - 4)
	}
	return x
}

// DealOf returns which deal of a batch leads to a root of a batch of the next street.
func (l *Layout) DealOf(t *Batch, k int, next *Batch, root int) int {
	return int(next.Segment-l.Streets[k].Nodes[t.Deals[0]].First) + root
}

// Payoff is what an end pays for the reach of the other player's hands: for all of them what a
// loss costs, and beyond that for those that are not better and for those that are worse. If a
// player has folded, only all of them count.
type Payoff struct{ Worse, NotBetter, All float32 }

// Payoffs are those of both players at an end.
type Payoffs [2]Payoff
