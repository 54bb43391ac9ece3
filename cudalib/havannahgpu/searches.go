package havannahgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// A SearchBoard is the geometry of a board, and what a network sees of it without stones.
type SearchBoard struct {
	Cells   int
	Near    []uint16 // neighbour of each cell in each of six directions; Cells off the board
	Borders []uint16 // borders of each cell: bits 0 to 5 are corners, 6 to 11 edges
	Still   []uint8  // planes of each cell that no stone changes
	Images  []uint16 // image of each cell, under each of twelve symmetries
}

// A SearchShape is how many searches there are, and how large they become.
type SearchShape struct {
	Searches           int // at least one
	Evaluations        int // most evaluations of a search, at least one
	NodesPerEvaluation int // no more nodes of a search are begun when there are so many
	Forced             int // moves in a row that are followed without an evaluation
}

// A Network puts on a stream the evaluation of all positions. It sets outputs to four numbers
// for each position, the value before tanh first, and logits to one for each cell, position by
// position. There is room for three more such arrays of logits, which are not read.
type Network func(s *driver.Stream, planes driver.Buffer[uint8], logits, outputs driver.Buffer[float32]) error

// Searches are searches that go on together on a device. Between Start and Wait the device
// works. One goroutine uses it at a time.
type Searches struct {
	gpu     *launch.Launcher
	network Network
	board   SearchBoard
	shape   SearchShape
	kernel  *launch.Kernel[searchParams]
	grid    driver.Grid
	params  searchParams
}

// searchParams are the parameters of gumbel_search.
type searchParams struct {
	Near               driver.Buffer[uint16]
	Still              driver.Buffer[uint8]
	Borders, Images    driver.Buffer[uint16]
	Cells              uint32
	Trees              driver.Buffer[uint32]
	Jobs               driver.Pinned[uint32]
	Moves              driver.Pinned[uint16]
	Planes             driver.Buffer[uint8]
	Logits, Outputs    driver.Buffer[float32]
	Results            driver.Pinned[uint32]
	Lines              driver.Pinned[uint16]
	Policies           driver.Pinned[float32]
	Pitch              uint32 // words from a search's tree to the next
	MaxNodes, MaxEdges uint32 // most nodes and edges of a search
	NodesPerEvaluation uint32
	Forced             uint32
	Begin              bool
}

// The sizes of the kernels, in bytes, and of its jobs and results, in words.
const (
	headBytes, nodeBytes, edgeBytes, stepBytes = 128, 24, 24, 4
	positionBytes, stateBytes                  = 33, 5 // bytes of a cell
	jobWords, resultWords                      = 4, 8
	planeBytes, outputWords                    = 16, 4
)

// NewSearches makes searches of a board on a device.
func NewSearches(d *driver.Device, b SearchBoard, s SearchShape, n Network) (*Searches, error) {
	position := (positionBytes*b.Cells + 2 + 15) / 16 * 16
	nodes := s.NodesPerEvaluation*s.Evaluations + s.Forced + 2
	edges := s.Evaluations*b.Cells + nodes // a node with more than one move was evaluated
	pitch := (headBytes + nodes*nodeBytes + edges*edgeBytes + b.Cells*(stepBytes+stateBytes) + 4 + 15) / 16 * 4
	if err := d.RequireMemory(int64(s.Searches) * int64(4*pitch+b.Cells*(planeBytes+4*outputWords))); err != nil {
		return nil, err
	}
	g := &Searches{gpu: launch.New(d, Modules, "search"), network: n, board: b, shape: s,
		grid: driver.Grid{Blocks: s.Searches, Threads: launch.Warp, Shared: position}}
	g.kernel = launch.Find[searchParams](g.gpu, "gumbel_search")
	near := make([]uint16, 8*b.Cells)
	for i, cell := range b.Near {
		near[i/6*8+i%6] = cell
	}
	all := s.Searches * b.Cells
	g.params = searchParams{
		Near: launch.Upload(g.gpu, near), Still: launch.Upload(g.gpu, b.Still),
		Borders: launch.Upload(g.gpu, b.Borders), Images: launch.Upload(g.gpu, b.Images),
		Cells: uint32(b.Cells), Trees: launch.Zeros[uint32](g.gpu, s.Searches*pitch),
		Jobs: launch.AllocPinned[uint32](g.gpu, s.Searches*jobWords), Moves: launch.AllocPinned[uint16](g.gpu, all),
		Planes: launch.Zeros[uint8](g.gpu, all*planeBytes), Logits: launch.Alloc[float32](g.gpu, all*outputWords),
		Outputs: launch.Alloc[float32](g.gpu, s.Searches*outputWords),
		Results: launch.AllocPinned[uint32](g.gpu, s.Searches*resultWords),
		Lines:   launch.AllocPinned[uint16](g.gpu, all), Policies: launch.AllocPinned[float32](g.gpu, all),
		Pitch: uint32(pitch), MaxNodes: uint32(nodes), MaxEdges: uint32(edges),
		NodesPerEvaluation: uint32(s.NodesPerEvaluation), Forced: uint32(s.Forced),
	}
	if g.gpu.Err == nil {
		clear(g.params.Jobs.Data())
		clear(g.params.Results.Data())
	}
	return launch.Finish(g.gpu, g)
}

// Close frees the memory on the device.
func (g *Searches) Close() error { return g.gpu.Close() }

// SetJob gives a search a new position, by the cells of the stones that alternate from
// white's first one, and its evaluations. Without a job, a search goes on.
func (g *Searches) SetJob(search int, moves []uint16, evaluations int, random uint64) {
	copy(g.params.Moves.Data()[search*g.board.Cells:][:g.board.Cells], moves)
	job := g.params.Jobs.Data()[search*jobWords:]
	job[0], job[1], job[2], job[3] = uint32(random), uint32(random>>32), uint32(len(moves)), uint32(evaluations)
}

// Start puts on the device that the searches with jobs begin, and then some evaluations in each
// search that is not over.
func (g *Searches) Start(evaluations int) error {
	return g.gpu.Device.Do(func() error {
		begin := g.params
		begin.Begin = true
		err := g.kernel.Launch(g.gpu.Stream, g.grid, begin)
		for range evaluations {
			err = errors.Join(err, g.network(g.gpu.Stream, g.params.Planes, g.params.Logits, g.params.Outputs),
				g.kernel.Launch(g.gpu.Stream, g.grid, g.params))
		}
		return err
	})
}

// Wait waits for what Start has begun.
func (g *Searches) Wait() error {
	err := g.gpu.Stream.Sync()
	clear(g.params.Jobs.Data())
	return err
}

// A SearchResult is what a search has found. Its slices are valid until the search's next job.
type SearchResult struct {
	Best        int      // the cell of the move to make
	Proof       int      // proof of the position: 1 for a win, -1 for a loss, 2 for a draw, 0 for none
	Evaluations int      // evaluations that were made
	Line        []uint16 // moves towards the end of the game, if there is a proof
	// Policy is the improved policy by cell, or nil if the position was not evaluated.
	Policy []float32
	Random uint64 // state of the random stream
}

// Result returns the result of a search. It reports false if the search is not over.
func (g *Searches) Result(search int) (r SearchResult, over bool) {
	words := g.params.Results.Data()[search*resultWords:][:resultWords]
	if words[0] == 0 {
		return r, false
	}
	first := search * g.board.Cells
	r = SearchResult{Best: int(words[1]), Proof: int(int32(words[2])), Evaluations: int(words[3]),
		Line: g.params.Lines.Data()[first:][:words[4]], Random: uint64(words[7])<<32 | uint64(words[6])}
	if words[5] != 0 {
		r.Policy = g.params.Policies.Data()[first:][:g.board.Cells]
	}
	return r, true
}
