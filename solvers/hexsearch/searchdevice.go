package hexsearch

import (
	"gamebots/cudalib"
	"gamebots/cudalib/havannahgpu"
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/gumbel"
	"gamebots/solvers/mcts"
)

// A Device searches many positions of one size at once on a GPU. The results are those of a
// [Search] with the same random stream, to the bit, if the network gives the same answers. One
// goroutine uses it at a time.
type Device struct{ gpu *havannahgpu.Searches }

// NewDevice makes searches on a device for a network there. Each search has at most the given
// evaluations. Close frees their memory.
func NewDevice(
	d *cudalib.Device, g *havannah.Grid, searches, evaluations int, network havannahgpu.Network,
) (*Device, error) {
	b := havannahgpu.SearchBoard{Cells: g.NumCells, Still: NewEncoder(g).Still()}
	for cell := range g.NumCells {
		for d := range havannah.NumNear {
			b.Near = append(b.Near, uint16(g.Near(cell, d)))
		}
		b.Borders = append(b.Borders, uint16(g.Border(cell)))
	}
	for _, symmetry := range Symmetries(g) {
		for _, image := range symmetry {
			b.Images = append(b.Images, uint16(image))
		}
	}
	gpu, err := havannahgpu.NewSearches(d, b, havannahgpu.SearchShape{
		Searches: searches, Evaluations: evaluations, NodesPerEvaluation: gumbel.NodesPerEvaluation,
		Forced: gumbel.MaxForced,
	}, network)
	if err != nil {
		return nil, err
	}
	return &Device{gpu}, nil
}

// Close frees the memory on the device.
func (d *Device) Close() error { return d.gpu.Close() }

// Set gives a search, by its number, a position: the cells of the stones that players put by
// turns, white first, without a swap. There is a stone at least, and the game is not over.
func (d *Device) Set(search int, moves []uint16, evaluations int, random rng.Stream) {
	d.gpu.SetJob(search, moves, evaluations, uint64(random))
}

// Start begins the searches that were set, and the next evaluations in each that is not over.
func (d *Device) Start(evaluations int) error { return d.gpu.Start(evaluations) }

// Wait waits for what Start has begun.
func (d *Device) Wait() error { return d.gpu.Wait() }

// Result returns the result of a search, which is valid until it is set again. It reports false
// if the search is not over.
func (d *Device) Result(search int) (DeviceResult, bool) {
	r, over := d.gpu.Result(search)
	return DeviceResult{r}, over
}

// DeviceResult is the result of a search on a device. Its methods are those of
// [gumbel.Search].
type DeviceResult struct{ result havannahgpu.SearchResult }

// Evaluated reports whether the position was evaluated.
func (r DeviceResult) Evaluated() bool { return r.result.Policy != nil }

// Evaluations returns the number of evaluations.
func (r DeviceResult) Evaluations() int { return r.result.Evaluations }

// Random returns the random stream after the search.
func (r DeviceResult) Random() rng.Stream { return rng.Stream(r.result.Random) }

// Proof returns the proof of the position.
func (r DeviceResult) Proof() mcts.Proof { return mcts.Proof(r.result.Proof) }

// Best returns the move to make.
func (r DeviceResult) Best() mcts.Move { return mcts.Move(r.result.Best) }

// Line returns moves that lead from a proved position towards the end of the game.
func (r DeviceResult) Line() (line []mcts.Move) {
	for _, cell := range r.result.Line {
		line = append(line, mcts.Move(cell))
	}
	return line
}

// Policy sets the improved policy by the numbers of the moves, if the position was evaluated.
func (r DeviceResult) Policy(policy []float32) {
	clear(policy)
	copy(policy, r.result.Policy)
}
