package nimsolver

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// AnyVersion leaves the way to search to [Request.Find].
const AnyVersion Version = -1

// versions are the names of the ways to search: v0 is Search, the others are versions of a Device,
// of which the last is Solve on CPUs, too.
var versions = []string{"v0", "v1", "v2", "v3", "v4", "v5"}

// ParseVersion returns the version with a name, v0 to v5 or auto for AnyVersion.
func ParseVersion(name string) (Version, error) {
	if name == "auto" {
		return AnyVersion, nil
	}
	if v := slices.Index(versions, name); v >= 0 {
		return Version(v), nil
	}
	return 0, fmt.Errorf("%q is not one of auto, v0, v1, v2, v3, v4, v5", name)
}

// NeedsDevice reports whether only a GPU can search by the version.
func (v Version) NeedsDevice() bool { return v >= FirstVersion && v < SolveVersion }

// A Request is a position and how to find its value and best move.
type Request struct {
	Position
	Depth         int     // plies to search; 0 solves the board by a table
	Version       Version // version of a search
	Transposition bool    // a search on one core of the CPU has a transposition table
}

// DeviceWorthwhile reports whether on a GPU the request is done sooner in spite of its start, which
// takes some tenths of a second, and why it is not.
func (r Request) DeviceWorthwhile() (worthwhile bool, reason string) {
	const tableBytes, plies = 256 << 20, 11
	if r.Depth > 0 {
		return r.Version != 0 && r.Depth >= plies, fmt.Sprintf("a GPU gains from %d plies on, by v1 to v5", plies)
	}
	bytes, err := TableBytes(r.Position)
	return err == nil && bytes >= tableBytes, "the board's table is small"
}

// Find finds value and move on a GPU, or on threads of the CPU if d is nil. Progress is called with
// the part of a table on the CPU that is done.
func (r Request) Find(ctx context.Context, d *Device, threads int, progress func(part float64)) (Result, error) {
	switch {
	case r.Depth == 0:
		table := func() (*Table, error) { return NewTable(ctx, r.Position, threads, progress) }
		if d != nil {
			table = func() (*Table, error) { return d.NewTable(ctx, r.Position) }
		}
		t, err := table()
		if err != nil {
			return Result{}, err
		}
		return t.Best(r.Heaps), nil
	case d != nil:
		v := r.Version
		if v == AnyVersion {
			v = SolveVersion
		}
		return d.Search(v, r.Position, r.Depth)
	case r.Version == SolveVersion:
		return Solve(ctx, r.Position, r.Depth, threads)
	case r.Transposition:
		return Search(ctx, r.Position, r.Depth, TableBits(r.Depth))
	}
	return Search(ctx, r.Position, r.Depth, 0)
}

// An Answer is what was found for a request, for people and as JSON.
type Answer struct {
	Request
	Result
	ByRule  bool   // it is that of the XOR rule, without a search
	Count   int    // heaps to show
	Device  string // where the search was made
	Seconds float64
}

// Rule returns the answer of the XOR rule.
func (r Request) Rule() Answer {
	best, wins := r.Rules.Best(r.Heaps)
	a := Answer{Request: r, Result: Result{Move: best, Value: Loss}, ByRule: true}
	if wins {
		a.Value = Win
	}
	return a
}

// Outcome words the value for the player to move, who is called first. Where the search was not deep
// enough, it has the value by the XOR rule, too.
func (a Answer) Outcome() string {
	switch a.Value {
	case Win:
		return "win: first wins"
	case Loss:
		return "loss: first loses"
	}
	rule := a.Rule()
	return fmt.Sprintf("unknown %d plies ahead; %s, by the XOR rule, with %v", a.Depth, rule.Outcome(), rule.Move)
}

// WriteText writes position, value and move, and the work of a search.
func (a Answer) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s\nmove    %v, take %d of heap %d\n",
		a.Heaps.Format(a.Count, ";"), a.Outcome(), a.Move, a.Move.Take, a.Move.Heap+1)
	if err == nil && !a.ByRule {
		_, err = fmt.Fprintf(w, "nodes   %d\ntime    %.3g s on %s\n", a.Nodes, a.Seconds, a.Device)
	}
	return err
}

// JSON returns the answer for JSON, which has the value by the XOR rule where no search found one.
func (a Answer) JSON() any {
	rule := ""
	if a.ByRule || a.Value == Unknown {
		rule = a.Rule().Value.String()
	}
	return struct {
		Heap    int     `json:"heap"`
		Take    int     `json:"take"`
		Value   string  `json:"value"`
		Rule    string  `json:"rule,omitempty"`
		Nodes   uint64  `json:"nodes"`
		Seconds float64 `json:"seconds"`
		Device  string  `json:"device,omitempty"`
	}{int(a.Move.Heap) + 1, int(a.Move.Take), a.Value.String(), rule, a.Nodes, a.Seconds, a.Device}
}
