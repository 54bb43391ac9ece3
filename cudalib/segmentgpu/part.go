package segmentgpu

import "slices"

// Part has the segments of a betting round that have the same decisions. Players are numbered 0
// and 1.
type Part struct {
	Round int
	First int // its first lane, of those of its round
	Lanes int
	Width int // the lanes, padded to a multiple of 32
	// Columns are the actions of each player at its decisions in a segment.
	Columns [2]int
	// Values is how many values a segment has at ends of hands.
	Values int
	// Next is, by deal and lane, the lane of the next round, None in padding. Paths are, by
	// player and deal, the player's columns on the way there.
	Deals int
	Next  []uint32
	Paths [2][][]uint32
	// From is, by lane, the lane of the round before that it follows and, above 16 bits, the number
	// of the deal there, among those of all parts; None in padding. Link sets it.
	From []uint32
	// Programs value the part for a player.
	Programs [2]Program
}

// None stands for no lane, no value and no column.
const None = ^uint32(0)

// The most that kernels have room for.
const (
	MaxPath    = 8       // actions of a player in a segment
	MaxActions = 15      // actions of a decision, and values in a sum
	MaxLanes   = 1 << 16 // lanes of a round
)

// Program values a segment for a player. Its values are numbered: first those at the ends of
// hands, then those of deals, from the next round, then those of the player's decisions.
type Program struct {
	Ends []End
	Pays []float32 // chips by value at an end, and lane: of a showdown if the hand is better
	// Columns are the values that each of the player's actions is the sum of, Root those of the
	// segment. Decisions follow on those that come after them.
	Columns   [][]uint32
	Root      []uint32
	Decisions []Decision
}

// End is the opponent's reach after a path of columns, and the numbers of the values that follow
// from it: of a fold, and of a showdown, or None.
type End struct {
	Path           []uint32
	Fold, Showdown uint32
}

// Decision is a decision of the player, after a path of its columns.
type Decision struct {
	Column, Actions uint32
	Path            []uint32
}

// Numbers returns how many values a player's program has.
func (p *Part) Numbers(player int) int { return p.Values + p.Deals + len(p.Programs[player].Decisions) }

// MostActions returns how many actions a decision has at most, or values a sum.
func (p *Part) MostActions() (most int) {
	for player := range p.Programs {
		program := &p.Programs[player]
		for _, d := range program.Decisions {
			most = max(most, int(d.Actions))
		}
		for _, from := range program.Sums() {
			most = max(most, len(from))
		}
	}
	return most
}

// EndOf returns the end that has a value.
func (p *Program) EndOf(value uint32) *End {
	i := slices.IndexFunc(p.Ends, func(e End) bool { return e.Fold == value || e.Showdown == value })
	return &p.Ends[i]
}

// Fits reports whether kernels have room for the part.
func (p *Part) Fits() bool {
	fits := p.First+p.Width <= MaxLanes
	for player := range p.Programs {
		program := &p.Programs[player]
		for _, path := range p.Paths[player] {
			fits = fits && len(path) <= MaxPath
		}
		for _, e := range program.Ends {
			fits = fits && len(e.Path) <= MaxPath
		}
		for _, d := range program.Decisions {
			fits = fits && len(d.Path) <= MaxPath && d.Actions <= MaxActions
		}
		for _, from := range program.Sums() {
			fits = fits && len(from) <= MaxActions
		}
	}
	return fits
}

// Link sets from which lanes those of later rounds follow, for the parts of all rounds in their
// order. Widths are the lanes of each round.
func Link(parts []Part, widths []int) {
	from, deals := make([][]uint32, len(widths)), make([]int, len(widths)) // a round each
	for r, width := range widths {
		from[r] = make([]uint32, width)
		for lane := range from[r] {
			from[r][lane] = None
		}
	}
	for i := range parts {
		p := &parts[i]
		p.From = from[p.Round][p.First:][:p.Width]
		for i, next := range p.Next {
			if p.Round+1 < len(from) && next < uint32(len(from[p.Round+1])) {
				from[p.Round+1][next] = uint32(p.First+i%p.Width) | uint32(deals[p.Round]+i/p.Width)<<16
			}
		}
		deals[p.Round] += p.Deals
	}
}

// From returns from which lanes those of a round follow, see [Part], by lane of the round.
func From(parts []Part, round int) (from []uint32) {
	for i := range parts {
		if parts[i].Round == round {
			from = append(from, parts[i].From...)
		}
	}
	return from
}

// Padded returns a path with the room that kernels have for one, and its length.
func Padded(path []uint32) (padded [MaxPath]uint32, length uint32) {
	length = uint32(copy(padded[:], path))
	return padded, length
}

// Sums returns what the values of the actions are sums of, by column, and then that of the
// segment.
func (p *Program) Sums() [][]uint32 { return append(slices.Clip(p.Columns), p.Root) }

// EndWords returns the ends as the kernels' struct End.
func (p *Program) EndWords() (words []uint32) {
	for _, e := range p.Ends {
		path, length := Padded(e.Path)
		words = append(append(append(words, length), path[:]...), e.Fold, e.Showdown)
	}
	return words
}

// DecisionWords returns the decisions as the kernels' struct Decision.
func (p *Program) DecisionWords() (words []uint32) {
	for _, d := range p.Decisions {
		path, length := Padded(d.Path)
		words = append(append(words, d.Column, d.Actions, length), path[:]...)
	}
	return words
}
