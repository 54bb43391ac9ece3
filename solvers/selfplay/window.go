package selfplay

// window has the newest recorded positions of one size, in arrays that are a ring.
type window struct {
	numCells int
	Cells    []uint8 // cells of each position
	Policy   []uint16
	Last     []uint16 // last move of each position
	Reply    []uint16
	Value    []int8
	Kinds    []uint8
	Added    uint64 // positions ever added
}

// The positions of a window, and the number of them from which learning begins to forget
// the oldest.
const (
	maxWindow = 1 << 18
	minWindow = 1 << 13
)

// windowBytes bounds the windows of all sides together, at three bytes a cell: those that
// a checkpoint of them has.
const windowBytes = 32 << 20

func newWindow(numCells, capacity int) *window {
	return &window{
		numCells: numCells, Cells: make([]uint8, numCells*capacity), Policy: make([]uint16, numCells*capacity),
		Last: make([]uint16, capacity), Reply: make([]uint16, capacity), Value: make([]int8, capacity),
		Kinds: make([]uint8, capacity),
	}
}

// add adds a position; it may replace the oldest.
func (w *window) add(s *sample) {
	i := int(w.Added % uint64(len(w.Last)))
	copy(w.Cells[i*w.numCells:], s.Cells)
	copy(w.Policy[i*w.numCells:], s.Policy)
	w.Last[i], w.Reply[i], w.Value[i], w.Kinds[i] = s.Last, s.Reply, s.Value, s.Kinds
	w.Added++
}

// size returns the number of positions to learn from: the newer half of all, but minWindow
// at least, as far as there are so many.
func (w *window) size() int {
	return int(min(max(w.Added/2, minWindow), w.Added, uint64(len(w.Last))))
}

// at returns the index of a position by its age, from 0.
func (w *window) at(age int) int { return int((w.Added - 1 - uint64(age)) % uint64(len(w.Last))) }
