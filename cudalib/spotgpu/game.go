package spotgpu

import "unsafe"

// Game is what the kernels need of a spot. Players are numbered 0 and 1.
type Game struct {
	Streets []Street
	Start   [2][]float32 // the reach of the hands of the first board
	Locks   []float32
	Entries int64 // regrets, and as many sums of strategies
	Scales  int64 // one for every [Block] hands of a decision; 0 for entries of 32 bits
	Given   []Given
	// Unweighted leaves the weights of the hands at the root out of the sums of their own strategies.
	Unweighted bool
}

// Given are entries, from the place At on, that are not 0 at the beginning: regrets and sums alike.
type Given struct {
	At      int64
	Entries []float32
}

// Street is the betting of a street, and the boards on which it may happen.
type Street struct {
	Nodes     int
	Decisions []Decision
	// Segments are followed by one whose Decisions are the end of those of the last one.
	Segments []Segment
	Deals    []Deal
	// Folds and Showdowns are by the player whose hands are valued.
	Folds, Showdowns [2]Ends
	Slots            [2]int // vectors of reach of a player

	Hands []Hands // hands by board and player
	// What Hands points into. From are places on the board before. Terms are, by the cards that
	// come next, the boards that follow or those like them up to the names of suits, and Maps the
	// places of the hands on these, or None.
	From, Maps []uint16
	Terms      []uint32
	// Orders are, by hands, those of the lists in ascending order, one list after the other; Starts
	// are where the lists start in such an order, and the end of the last one.
	Orders []uint16
	Starts []uint32
	Places []Place
	// LockOf is 1 more than where the locked probabilities of a decision start, by board and
	// node; 0 is none. It is empty where nothing is locked.
	LockOf []uint32
}

// Ends are ends of a street by the sequences that lead there. Those of a sequence of showdowns
// may be folds, too.
type Ends struct {
	// Sequences are a multiple of [Side], and one more with the end of the Ends of the last one.
	Sequences []Sequence
	Ends      []End
}

// Abreast is the number of hands of a thread, except at ends. With entries of 16 bits a thread has a
// Block at decisions. Widths are multiples of both.
const (
	Abreast = 2
	Block   = 8
)

// Side is the number of sequences whose ends a block values side by side.
const Side = 4

// Bytes returns the device memory that a spot takes.
func (g *Game) Bytes() int64 {
	bytes := 4 * (len(g.Locks) + 2*int(g.Entries))
	if g.Scales > 0 {
		bytes = 4 * (len(g.Locks) + int(g.Entries) + 2*int(g.Scales))
	}
	for k := range g.Streets {
		s := &g.Streets[k]
		reach, values := s.vectors()
		bytes += 4*(reach+values+len(s.Starts)+len(s.LockOf)) + 2*(len(s.From)+len(s.Maps)+len(s.Orders)) +
			len(s.Decisions)*int(unsafe.Sizeof(Decision{})) + len(s.Segments)*int(unsafe.Sizeof(Segment{})) +
			len(s.Deals)*int(unsafe.Sizeof(Deal{})) + s.Folds[0].bytes() + s.Folds[1].bytes() +
			s.Showdowns[0].bytes() + s.Showdowns[1].bytes() + len(s.Hands)*int(unsafe.Sizeof(Hands{})) +
			4*len(s.Terms) + len(s.Places)*int(unsafe.Sizeof(Place{}))
	}
	return int64(bytes)
}

func (e *Ends) bytes() int {
	return len(e.Sequences)*int(unsafe.Sizeof(Sequence{})) + len(e.Ends)*int(unsafe.Sizeof(End{}))
}

// vectors returns the floats of the reach and of the values on all boards.
func (s *Street) vectors() (reach, values int) {
	last := s.Hands[len(s.Hands)-2:]
	return int(last[1].Reach) + s.Slots[1]*int(last[1].Width),
		int(last[0].Values) + s.Nodes*int(max(last[0].Width, last[1].Width))
}

// None stands for no place.
const None = 1<<16 - 1

// NumLists is the number of lists of hands: all of them, and those with each card.
const NumLists = 1 + 52

// These have the layout of the kernels' structs, which explain them.
type (
	Decision struct {
		Node                             uint32
		Actor, Actions                   uint16
		First, Row, In, Out, Last, Order uint32
	}
	Segment struct {
		Decisions, Root uint32
		Slots, Origins  [2]uint32
	}
	Deal struct {
		Node, Segment uint32
		Slots         [2]uint32
	}
	Hands struct {
		Entries, Scales, Reach, Values                      uint64
		Size, Width, Before                                 uint32
		From, Terms, NumTerms, Maps, Orders, Starts, Places uint32
	}
	Sequence struct{ Slot, Ends uint32 }
	End      struct {
		Node, Fold            uint32
		Worse, NotBetter, All float32
	}
	Place struct {
		Worse, NotBetter [3]uint16
		List             [2]uint16
		Same             uint16
		_                uint16
	}
)
