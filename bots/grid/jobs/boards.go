package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"

	"gamebots/bots/grid"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// BoardKind is the kind of jobs that solve a spot on another board, done by [BoardJob]. The shared part is a
// [Boards], the spec the board's cards, and the result a [BoardResult], both as JSON.
const BoardKind = "board"

// Boards are a spot that is solved on many boards of as many cards as its own.
type Boards struct {
	Spot       *spot.Spot `json:"spot"`
	Algorithm  string     `json:"algorithm"`
	Half       bool       `json:"half"`   // entries of 16 bits
	Target     float64    `json:"target"` // exploitability in chips
	Iterations uint64     `json:"iterations"`
	Lines      []string   `json:"lines"` // points that results have
}

// BoardResult is what was found on a board.
type BoardResult struct {
	Board          string       `json:"board"`
	Iterations     uint64       `json:"iterations"`
	Exploitability float64      `json:"exploitability"` // chips
	Points         []BoardPoint `json:"points"`
}

// BoardPoint is what the players have and do at a point, in the mean over their hands: by player values in chips and
// equities from 0 to 1, and by action of the player who acts how often it is played.
type BoardPoint struct {
	Line        string     `json:"line"`
	Reached     float64    `json:"reached"`
	Values      [2]float64 `json:"values"`
	Equities    [2]float64 `json:"equities"`
	Actions     []string   `json:"actions"`
	Frequencies []float64  `json:"frequencies"`
}

// BoardMeans are what boards are solved with.
type BoardMeans struct {
	// Open returns a GPU, or nil. One board is on it at a time, while others are prepared. Small boards, and those that
	// it has no memory for, are solved on the CPU unless Device is a GPU.
	Open    func() (*cudalib.Device, error)
	Device  cudalib.Choice
	Threads int // for a board
	// Memory is bytes for all boards at a time, DeviceMemory for a board, 0 for what is free.
	Memory, DeviceMemory int64
	// Save returns the file of a solution. It is nil to write none.
	Save func(board string) string
}

// BoardJob returns the function that does jobs of BoardKind.
func BoardJob(m BoardMeans) grid.Func {
	b := newBoardJob(m)
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		var all Boards
		if err := json.Unmarshal(job.Shared, &all); err != nil {
			return nil, err
		}
		result, err := b.solve(ctx, &all, string(job.Spec))
		if err != nil {
			return nil, err
		}
		return json.Marshal(result)
	}
}

type boardJob struct {
	BoardMeans
	turn sync.Mutex // held by who uses the device

	mu           sync.Mutex // held by who gets ready
	freed        sync.Cond  // memory was given back
	limit, taken int64      // bytes for all boards
}

func newBoardJob(m BoardMeans) *boardJob {
	b := &boardJob{BoardMeans: m}
	b.freed.L = &b.mu
	return b
}

// solve solves a spot on a board.
func (b *boardJob) solve(ctx context.Context, all *Boards, board string) (r *BoardResult, err error) {
	s := *all.Spot
	if s.Board, err = spot.ParseBoard(board); err != nil {
		return nil, err
	}
	algorithm, ok := cfr.AlgorithmByName(all.Algorithm)
	if !ok || !slices.Contains(spot.Algorithms(), all.Algorithm) {
		return nil, fmt.Errorf("no algorithm of spots is called %q", all.Algorithm)
	}
	algorithm.Quantized = all.Half
	options := spot.Options{
		Algorithm: algorithm, Threads: b.Threads, DeviceMemory: b.DeviceMemory,
		Device: func(s *spot.Solver) (spot.Device, error) {
			d, err := b.Open()
			if err != nil || b.Device.If(s.DeviceWorthwhile()).CPU() {
				return nil, err
			}
			return ondevice.InTurns(d, &b.turn), nil
		},
	}
	solver, end, err := b.open(ctx, &s, options)
	switch {
	case errors.As(err, new(*spot.MemoryError)):
		return nil, &grid.UnwillingError{Err: fmt.Errorf("%s: %w", board, err)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", board, err)
	}
	defer func() { err = errors.Join(err, end()) }()
	limits := spot.Limits{Iterations: all.Iterations, Exploitability: all.Target, Abort: ctx}
	r = &BoardResult{Board: board, Exploitability: solver.Solve(ctx, limits, func(float64) {})}
	if err := errors.Join(context.Cause(ctx), solver.Err()); err != nil {
		return nil, err
	}
	r.Iterations = solver.Iterations()
	if r.Points, err = pointsAt(solver.Solution(), all.Lines); err != nil {
		return nil, fmt.Errorf("%s: %w", board, err)
	}
	if b.Save != nil {
		err = solver.Save(b.Save(board), r.Exploitability)
	}
	return r, err
}

// open returns the solver of a spot when there is memory for it beside those that are at work. End closes it.
func (b *boardJob) open(ctx context.Context, s *spot.Spot, o spot.Options) (*spot.Solver, func() error, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer context.AfterFunc(ctx, func() { b.free(0) })()
	for {
		debug.FreeOSMemory() // what is garbage now would be taken twice
		if b.taken == 0 {
			b.limit = cmp.Or(b.Memory, memory.Available())
		}
		o.Memory = b.limit - b.taken
		solver, err := spot.New(s, o)
		if errors.Is(err, spot.ErrDeviceMemory) && !b.Device.GPU() {
			o.Device = nil
			solver, err = spot.New(s, o)
		}
		switch {
		case ctx.Err() != nil && err != nil:
			return nil, nil, context.Cause(ctx)
		case b.taken > 0 && errors.As(err, new(*spot.MemoryError)):
			b.freed.Wait()
		case err != nil:
			return nil, nil, err
		default:
			bytes := solver.Bytes()
			b.taken += bytes
			return solver, func() error {
				err := solver.Close()
				solver = nil // garbage, before another board waits for the memory no more
				b.free(bytes)
				return err
			}, nil
		}
	}
}

// free gives memory back, and wakes those that wait for it.
func (b *boardJob) free(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken -= bytes
	b.freed.Broadcast()
}

// pointsAt returns what a solution says of some points.
func pointsAt(s *spot.Solution, lines []string) (all []BoardPoint, err error) {
	for _, line := range lines {
		n, err := s.At(line)
		if err != nil {
			return nil, err
		}
		p := BoardPoint{Line: line, Reached: n.Reached, Frequencies: n.Summary(n.Player).Probabilities}
		for q := range 2 {
			x := n.Summary(q)
			p.Values[q], p.Equities[q] = x.Value, x.Equity
		}
		for _, a := range n.Actions {
			p.Actions = append(p.Actions, a.String())
		}
		all = append(all, p)
	}
	return all, nil
}

// Same reports whether a saved solution is of a board of the spot.
func (all *Boards) Same(s *spot.Solution, board string) (bool, error) {
	want := *all.Spot
	var err error
	if want.Board, err = spot.ParseBoard(board); err != nil {
		return false, err
	}
	text, err := want.MarshalText()
	return string(text) == s.Meta().GameText, err
}

// SavedBoard returns the result of a board from a file of [BoardJob], nil where it has not reached the target.
func (all *Boards) SavedBoard(s *spot.Solution, board string) (*BoardResult, error) {
	m := s.Meta()
	if m.Exploitability == nil || *m.Exploitability > all.Target && m.Iterations < all.Iterations {
		return nil, nil
	}
	points, err := pointsAt(s, all.Lines)
	return &BoardResult{Board: board, Iterations: m.Iterations, Exploitability: *m.Exploitability, Points: points}, err
}

// SolveBoards solves a spot on some boards on a grid, and takes the results in their order.
func SolveBoards(
	ctx context.Context, g grid.Grid, all *Boards, boards []string, take func(i int, r *BoardResult) error,
) error {
	run := NewRun("boards")
	shared, _ := json.Marshal(all)    // plain values cannot fail
	waiting := map[int]*BoardResult{} // for those before them
	next := 0
	return g.Run(ctx, boardsOf(run, shared, boards), func(job grid.Job, result []byte) error {
		r := new(BoardResult)
		if err := json.Unmarshal(result, r); err != nil {
			return fmt.Errorf("%v: %w", job, err)
		}
		if !r.isOf(all, boards[job.Shard]) {
			return fmt.Errorf("%v: the result is not of %s and its points", job, boards[job.Shard])
		}
		for waiting[job.Shard] = r; waiting[next] != nil; next++ {
			if err := take(next, waiting[next]); err != nil {
				return err
			}
			delete(waiting, next)
		}
		return nil
	})
}

// isOf reports whether a result, which may come from another machine, has the points of a board.
func (r *BoardResult) isOf(all *Boards, board string) bool {
	return r.Board == board && slices.EqualFunc(r.Points, all.Lines, func(p BoardPoint, line string) bool {
		return p.Line == line && len(p.Actions) == len(p.Frequencies)
	})
}

// boardsOf returns the jobs of some boards.
func boardsOf(run string, shared []byte, boards []string) iter.Seq[grid.Job] {
	return func(yield func(grid.Job) bool) {
		for i, board := range boards {
			if !yield(grid.Job{Run: run, Shard: i, Kind: BoardKind, Shared: shared, Spec: []byte(board)}) {
				return
			}
		}
	}
}
