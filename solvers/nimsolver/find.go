package nimsolver

import (
	"context"
	"fmt"
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
// takes some tenths of a second.
func (r Request) DeviceWorthwhile() bool {
	const tableBytes, plies = 256 << 20, 11
	if r.Depth > 0 {
		return r.Version != 0 && r.Depth >= plies
	}
	bytes, err := TableBytes(r.Position)
	return err == nil && bytes >= tableBytes
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
		found, _, err := d.Search(v, r.Position, r.Depth)
		return found, err
	case r.Version == SolveVersion:
		return Solve(ctx, r.Position, r.Depth, threads)
	case r.Transposition:
		return Search(ctx, r.Position, r.Depth, TableBits(r.Depth))
	}
	return Search(ctx, r.Position, r.Depth, 0)
}
