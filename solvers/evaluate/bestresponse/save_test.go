package bestresponse

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/internal/pokertest"
)

// An interrupted computation goes on where it was, to the same bits, even after a crash in
// the middle of a write. Saved values of another strategy are refused.
func TestSave(t *testing.T) {
	l := layoutOf(t, pokertest.Game(t, "leduc"), abstraction.None)
	open := func(seed uint64) *Response {
		s, err := FromWeights(l.Index, randomWeights(l, seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		return New(s)
	}
	r, ctx := open(1), context.Background()
	want, err := r.Exact(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "saved")
	save, parts, err := r.OpenSave(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Missing(parts)); n != r.Parts() || n < 4 {
		t.Fatalf("%d of %d parts are missing from a new file", n, r.Parts())
	}
	if err := errors.Join(r.Value(ctx, []int{2, 0, 3}, 1, save.Add), save.Close()); err != nil {
		t.Fatal(err)
	}
	size, _ := os.Stat(path)
	if err := os.Truncate(path, size.Size()-5); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		save, parts, err = open(1).OpenSave(path)
		if err != nil {
			t.Fatal(err)
		}
		err = r.Value(ctx, r.Missing(parts), 2, func(part int, values PartValues) error {
			if part == 0 || part == 2 {
				t.Errorf("part %d is valued again", part)
			}
			parts[part] = values
			return save.Add(part, values)
		})
		if got := r.Total(parts); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v with a file, %v without, error %v", got, want, err)
		}
		if err := save.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := open(2).OpenSave(path); !errors.Is(err, ErrOtherStrategy) {
		t.Errorf("the values of another strategy: %v", err)
	}
	if err := os.WriteFile(path, []byte("no saved values, but longer than their head"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.OpenSave(path); !errors.Is(err, ErrForeign) {
		t.Errorf("another file: %v", err)
	}
}

// Records of parts that there are not, and a head that a crash has cut off, are no values.
func TestSaveOfNoParts(t *testing.T) {
	l := layoutOf(t, pokertest.Game(t, "leduc"), abstraction.None)
	s, err := FromWeights(l.Index, randomWeights(l, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, path := New(s), filepath.Join(t.TempDir(), "saved")
	var values PartValues
	for p := range values {
		values[p] = make([]float64, r.size(p))
	}
	for _, part := range []int{r.Parts(), summed - 1, summed + r.Parts() + 1} {
		save, _, err := r.OpenSave(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(save.Add(part, values), save.Close()); err != nil {
			t.Fatal(err)
		}
		save, parts, err := r.OpenSave(path)
		if err != nil || len(r.Missing(parts)) != r.Parts() || save.Sum.Parts != 0 {
			t.Fatalf("part %d: %v", part, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != 16 {
			t.Errorf("part %d is kept: %v", part, err)
		}
		if err := errors.Join(save.Close(), os.Truncate(path, 5)); err != nil {
			t.Fatal(err)
		}
	}
}

// The first parts may be kept as their sum, to the same bits.
func TestCompact(t *testing.T) {
	l := layoutOf(t, pokertest.Game(t, "leduc"), abstraction.None)
	s, err := FromWeights(l.Index, randomWeights(l, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, ctx, path := New(s), context.Background(), filepath.Join(t.TempDir(), "saved")
	want, err := r.Exact(ctx, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		list        []int
		summed, all int // records afterwards: parts in the sum, and the sum and the other parts
	}{{[]int{1, 3}, 0, 2}, {[]int{0}, 2, 2}, {nil, 2, 2}, {[]int{2, 4, 5}, r.Parts(), 1}} {
		save, parts, err := r.OpenSave(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := save.Sum
		if err := r.Value(ctx, step.list, 1, func(part int, values PartValues) error {
			parts[part] = values
			return save.Add(part, values)
		}); err != nil {
			t.Fatal(err)
		}
		r.Extend(&sum, parts)
		if err := errors.Join(save.Compact(sum, parts), save.Close()); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if size := int64(16 + step.all*r.recordSize()); sum.Parts != step.summed || info.Size() != size {
			t.Fatalf("after %v: %d parts in the sum, %d bytes, want %d, %d", step.list, sum.Parts, info.Size(),
				step.summed, size)
		}
		if got := r.Best(sum); sum.Parts == r.Parts() && got != want {
			t.Errorf("%v from a sum, want %v", got, want)
		}
	}
}
