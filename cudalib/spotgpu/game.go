package spotgpu

import (
	"slices"
	"unsafe"
)

// Game is what the kernels need of a spot. Players are numbered 0 and 1.
type Game struct {
	Streets [3]Street // flop, turn and river, of which those before First are empty
	First   int
	Start   []float32 // the reach of the hands at the root
	Locks   []float32
	// LockOf is 1 more than where the locked probabilities of a decision start, by node from the place on that
	// Hands have; 0 is none.
	LockOf  []uint32
	Entries int64 // regrets, and as many sums of strategies
	Scales  int64 // one for every [Block] hands of a decision; 0 for entries of 32 bits
	Given   []Given
	Parts   int // into which the rivers are dealt out, in their order
	// Wave is the number of vectors' floats from which on no river is added to a wave. The rivers of a wave are
	// passed at the same time, and those of the next one in the same memory.
	Wave int
}

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
	// Folds and Showdowns are by the player whose hands are valued: a multiple of Side.
	Folds, Showdowns [2][]End
	Slots            [2]int // vectors of reach of a player on a board
	Nodes            int    // vectors of values on a board

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
// memory.
func (g *Game) layOut() {
	for k := range g.Streets {
		s := &g.Streets[k]
		var at, most vectors
		first := 0 // the first board of the wave
		s.waves = nil
		for board := range s.boards() {
			if k == len(g.Streets)-1 && board > first && s.Hands[2*board].Before != s.Hands[2*board-2].Before &&
				at.reach+at.values >= g.Wave {
				s.waves, at, first = append(s.waves, board), vectors{}, board
			}
			hands := s.Hands[2*board:][:2]
			for p := range hands {
				hands[p].Reach, hands[p].Values = uint64(at.reach), uint64(at.values)
				at.reach += s.Slots[p] * int(hands[p].Width)
			}
			at.values += s.Nodes * int(max(hands[0].Width, hands[1].Width))
			most = vectors{max(most.reach, at.reach), max(most.values, at.values)}
		}
		s.waves, s.vectors = append(s.waves, s.boards()), most
		for wave := 1; wave < len(s.waves); wave += 2 {
			for i := 2 * s.waves[wave-1]; i < 2*s.waves[wave]; i++ {
				s.Hands[i].Reach += uint64(most.reach)
				s.Hands[i].Values += uint64(most.values)
			}
			s.vectors = vectors{2 * most.reach, 2 * most.values}
		}
	}
}

// vectors are numbers of floats of vectors.
type vectors struct{ reach, values int }

func (s *Street) boards() int { return len(s.Hands) / 2 }

// Fit lets waves be as large as is fast, or smaller if the spot then takes no more than a limit.
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

// tasks returns the number of tasks.
func (g *Game) tasks() (n int) {
	for k := range g.Streets {
		s := &g.Streets[k]
		items := len(s.Segments) - 1 + len(s.Deals)
		for p := range 2 {
			items += (len(s.Folds[p]) + len(s.Showdowns[p])) / Side
		}
		n += s.boards() * items
	}
	return n
}

// Range is some numbers, from the first one to before the end.
type Range struct{ First, End int }

func (r Range) len() int { return r.End - r.First }

// widest returns the largest width of the hands.
func (s *Street) widest() (width int) {
	for i := range s.Hands {
		width = max(width, int(s.Hands[i].Width))
	}
	return width
}

// before returns the boards of the street before that lead to a wave.
func (s *Street) before(wave Range) Range {
	if wave.len() == 0 || s.Hands[2*wave.First].Before == Nothing {
		return Range{}
	}
	return Range{int(s.Hands[2*wave.First].Before), int(s.Hands[2*wave.End-2].Before) + 1}
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
