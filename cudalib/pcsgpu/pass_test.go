package pcsgpu

import (
	"testing"

	"gamebots/cudalib/segmentgpu"
)

// Ends that follow a decision are in a pass, at most one of each kind, with the choices that lead
// there.
func TestPasses(t *testing.T) {
	end := func(fold, showdown uint32, path ...uint32) segmentgpu.End {
		return segmentgpu.End{Path: path, Fold: fold, Showdown: showdown}
	}
	// The opponent checks or bets (0, 1); after a raise it folds, calls or raises (2, 3, 4).
	decisions := []segmentgpu.Decision{{Column: 2, Actions: 3}, {Column: 0, Actions: 2}}
	passes := PassesOf([]segmentgpu.End{
		end(none, 0, 0), end(1, 2, 1), end(3, none, 1, 2), end(none, 4, 1, 3), end(5, 6, 1, 4), // as in hold'em
		end(7, none), end(none, 8), end(none, 9, 1, 3), // without a decision, and twice the same kind
		end(10, none, 0, 2), end(11, none, 0, 4), // folds alone, of either player
	}, decisions)
	want := []struct{ folds, showdowns, bits, choices [kinds]uint32 }{
		{[3]uint32{none, 1, none}, [3]uint32{none, 2, 0}, [3]uint32{0, 1 << 2, 1 << 2}, [3]uint32{0, 1 << 2, 0}},
		{[3]uint32{3, 5, none}, [3]uint32{none, 6, 4}, [3]uint32{7, 7, 7}, [3]uint32{1 << 2, 1<<2 | 2, 1<<2 | 1}},
		{[3]uint32{7, none, none}, [3]uint32{none, none, none}, [3]uint32{}, [3]uint32{}},
		{[3]uint32{none, none, none}, [3]uint32{none, none, 8}, [3]uint32{}, [3]uint32{}},
		{[3]uint32{none, none, none}, [3]uint32{none, none, 9}, [3]uint32{0, 0, 7}, [3]uint32{0, 0, 1<<2 | 1}},
		{[3]uint32{10, 11, none}, [3]uint32{none, none, none}, [3]uint32{7, 7, 0}, [3]uint32{0, 2, 0}},
	}
	if len(passes) != len(want) {
		t.Fatalf("%d passes, want %d: %+v", len(passes), len(want), passes)
	}
	for i, w := range want {
		p := passes[i]
		if p.Folds != w.folds || p.Showdowns != w.showdowns || p.Bits != w.bits || p.Choices != w.choices {
			t.Errorf("pass %d: %+v, want %+v", i, p, w)
		}
	}
	if p := passes[1]; p.Length != 1 || p.Path[0] != 1 || p.Column != [kinds]uint32{2, 4, 3} {
		t.Errorf("the pass after a raise has the columns %+v", p)
	}
}
