package spotgpu

import (
	"slices"
	"unsafe"
)

// Game is what the kernels need of some spots. Players are numbered 0 and 1.
type Game struct {
	Streets [3]Street // flop, turn and river
	Spots   []Spot
	Start   []float32 // the reach of the hands at the roots
	Locks   []float32
	// LockOf is 1 more than where the locked probabilities of a decision start, by node from the place on that
	// Hands have; 0 is none.
	LockOf  []uint32
	Entries int64 // regrets, and as many sums of strategies
	Scales  int64 // one for every [Block] hands of a decision; 0 for entries of 32 bits
	Given   []Given
	Parts   int // into which the rivers of each spot are dealt out, in their order
	// Wave is the number of vectors' floats from which on no river is added to a wave. The rivers of a wave are
	// passed at the same time, and those of the next one in the same memory.
	Wave int
}

// Spot is where a spot begins, and its parts of the streets from there on.
type Spot struct {
	First int // street
	Parts [3]Part
}

// Part is what a spot has of a street: boards, vectors of each, and what is done there.
type Part struct {
	Boards, Segments, Deals Range
	Folds, Showdowns        [2]Range // ends, from a multiple of Side on, by the player whose hands are valued
	Slots                   [2]int   // vectors of reach of a player
	Nodes                   int      // vectors of values
}

// Range is some numbers, from the first one to before the end.
type Range struct{ First, End int }

// Given are entries, from the place At on, that are not 0 at the beginning: regrets and sums alike.
type Given struct {
	At      int64
	Entries []float32
}

// Street is the betting of a street, and the boards on which it may happen.
type Street struct {
	Decisions []Decision
	// Segments are followed by one whose Decisions are the end of those of the last one.
	Segments []Segment
	Deals    []Deal
	// Folds and Showdowns are by the player whose hands are valued.
	Folds, Showdowns [2][]End

	Hands []Hands // hands by board and player
	// What Hands points into. From are places on the board before. Terms are, by the cards that
	// come next, the boards that follow or those like them up to the names of suits, and Maps the
	// places of the hands on these, or 1<<16 - 1 for none.
	From, Maps []uint16
	Terms      []uint32
	// Orders are, by hands, those of the lists in ascending order, one list after the other; Starts are where the
	// lists start in such an order, and the end of the last one.
	Orders []uint16
	Starts []uint32
	Places []Place

	vectors
	waves []int // the boards where they end
}

const (
	// Abreast is the number of hands of a thread, and AbreastPacked that with entries of 16 bits.
	Abreast, AbreastPacked = 2, 4
	// Block is the number of hands that share a scale. Widths are multiples of it.
	Block = 8
	// Side is the number of ends that a block values side by side.
	Side = 4
)

// layOut gives the boards the memory of their vectors. A wave has all rivers of a turn, and every other wave the same
// memory. The boards where spots begin are in none.
func (g *Game) layOut() {
	for k := range g.Streets {
		s := &g.Streets[k]
		var at, most vectors
		for i := range g.Spots {
			if x := &g.Spots[i]; x.First == k {
				at = s.place(x.Parts[k].Boards.First, &x.Parts[k], at)
			}
		}
		fixed, first := at, 0 // the first board of the wave
		s.waves, most = nil, at
		for i := range g.Spots {
			x := &g.Spots[i]
			for board := x.Parts[k].Boards.First; board < x.Parts[k].Boards.End && k > x.First; board++ {
				if k == len(g.Streets)-1 && board > first && s.Hands[2*board].Before != s.Hands[2*board-2].Before &&
					at.reach+at.values-fixed.reach-fixed.values >= g.Wave {
					s.waves, at, first = append(s.waves, board), fixed, board
				}
				at = s.place(board, &x.Parts[k], at)
				most = vectors{max(most.reach, at.reach), max(most.values, at.values)}
			}
		}
		s.waves, s.vectors = append(s.waves, len(s.Hands)/2), most
		for wave := 1; wave < len(s.waves); wave += 2 {
			for board := s.waves[wave-1]; board < s.waves[wave]; board++ {
				if hands := s.Hands[2*board:][:2]; hands[0].Before != Nothing {
					for p := range hands {
						hands[p].Reach += uint64(most.reach - fixed.reach)
						hands[p].Values += uint64(most.values - fixed.values)
					}
				}
			}
			s.vectors = vectors{2*most.reach - fixed.reach, 2*most.values - fixed.values}
		}
	}
}

// vectors are numbers of floats of vectors.
type vectors struct{ reach, values int }

// place gives the vectors of a board their memory, from some floats on, and returns those that follow.
func (s *Street) place(board int, part *Part, at vectors) vectors {
	hands := s.Hands[2*board:][:2]
	for p := range hands {
		hands[p].Reach, hands[p].Values = uint64(at.reach), uint64(at.values)
		at.reach += part.Slots[p] * int(hands[p].Width)
	}
	at.values += part.Nodes * int(max(hands[0].Width, hands[1].Width))
	return at
}

// Fit lets waves be as large as is fast, or smaller if the spots then take no more than a limit.
func (g *Game) Fit(limit int64) {
	for g.Wave = 1 << 27; ; g.Wave /= 2 {
		g.layOut()
		if g.Wave < 1<<10 || g.Bytes() <= limit {
			return
		}
	}
}

// Least returns the device memory that a game takes with the smallest waves.
func (g *Game) Least() int64 {
	g.Wave = 0
	g.layOut()
	return g.Bytes()
}

// Bytes returns the device memory that a game takes.
func (g *Game) Bytes() int64 {
	bytes := 8 * g.Entries
	if g.Scales > 0 {
		bytes = 4*g.Entries + 8*g.Scales
	}
	bytes += size(g.Start) + size(g.Locks) + size(g.LockOf) + int64(g.tasks())*int64(unsafe.Sizeof(Task{}))
	for k := range g.Streets {
		s := &g.Streets[k]
		bytes += 4*int64(s.reach+s.values) + size(s.Decisions) + size(s.Segments) + size(s.Deals) + size(s.Hands) +
			size(s.From) + size(s.Maps) + size(s.Terms) +
			size(s.Orders) + size(s.Starts) + size(s.Places)
		for p := range 2 {
			bytes += size(s.Folds[p]) + size(s.Showdowns[p])
		}
	}
	return bytes
}

func size[T any](array []T) int64 { return int64(len(array)) * int64(unsafe.Sizeof(*new(T))) }

// tasks returns the number of tasks of all spots.
func (g *Game) tasks() (n int) {
	for i := range g.Spots {
		for k := range g.Streets {
			x := &g.Spots[i].Parts[k]
			items := x.Segments.len() + x.Deals.len()
			for p := range 2 {
				items += x.Folds[p].groups().len() + x.Showdowns[p].groups().len()
			}
			n += x.Boards.len() * items
		}
	}
	return n
}

func (r Range) len() int { return r.End - r.First }

// within returns what two ranges have in common.
func (r Range) within(s Range) Range {
	return Range{max(r.First, s.First), max(r.First, s.First, min(r.End, s.End))}
}

// groups returns the groups of ends that blocks value.
func (r Range) groups() Range { return Range{r.First / Side, (r.End + Side - 1) / Side} }

// widest returns the largest width of the hands.
func (s *Street) widest() (width int) {
	for i := range s.Hands {
		width = max(width, int(s.Hands[i].Width))
	}
	return width
}

// before returns the boards of the street before that lead to a wave.
func (s *Street) before(wave Range) (boards Range) {
	for board := wave.First; board < wave.End; board++ {
		if up := s.Hands[2*board].Before; up != Nothing {
			if boards.End == 0 {
				boards.First = int(up)
			}
			boards.End = int(up) + 1
		}
	}
	return boards
}

// wave returns the wave of a board.
func (s *Street) wave(board int) int {
	return slices.IndexFunc(s.waves, func(end int) bool { return board < end })
}

// NumLists is the number of lists of hands: all of them, and those with each card.
const NumLists = 1 + 52

// Nothing stands for no board, node or lock.
const Nothing = 1<<32 - 1

// These have the layout of the kernels' structs, which explain them.
type (
	Task     struct{ Board, Item uint32 }
	Decision struct {
		Node                             uint32
		Actor, Actions                   uint16
		First, Row, In, Out, Last, Order uint32
	}
	Segment struct {
		Decisions, Root uint32
		Slots, Origins  [2]uint32
	}
	Deal  struct{ Node, Segment uint32 }
	Hands struct {
		Entries, Scales, Reach, Values                uint64
		Size, Width, Place, Before, Unweighted, Locks uint32
		From, Terms, NumTerms, Maps                   uint32
		Orders, Starts, Places                        uint32
		Number                                        uint32
	}
	End struct {
		Slot, Node, Fold            uint32
		Worse, NotBetter, All, Loss float32
		_                           uint32
	}
	Place struct {
		Worse, NotBetter [3]uint16
		List             [2]uint16
		Same, _          uint16
	}
)
