package buckets_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/abstraction/buckets/internal/bucketstest"
)

func TestFile(t *testing.T) {
	for _, perfect := range []bool{false, true} {
		r := coarse
		r.PerfectRecall = perfect
		if perfect {
			r.Rounds = slices.Clone(r.Rounds)
			r.Rounds[0] = buckets.Round{Feature: buckets.Histogram, Buckets: 4}
		}
		table := bucketstest.Build(t, tens, r, cluster.Options{})
		path := filepath.Join(t.TempDir(), "x.buckets")
		if err := table.Write(path); err != nil {
			t.Fatal(err)
		}
		read, err := buckets.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := table.Compact()
		if err != nil {
			t.Fatal(err)
		}
		compact, err := buckets.FromCompact(data)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := compact.Fill(t.Context(), 2, func(part float64) {
			if !(part >= 0 && part <= 1) {
				t.Errorf("told of the part %v", part)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if !bucketstest.Equal(t, read, table) || !bucketstest.Equal(t, filled, table) ||
			compact.Name() != table.Name() || !slices.Equal(read.Reports(), table.Reports()) {
			t.Errorf("perfect recall %v: other buckets are read than were written", perfect)
		}
		random := rand.New(rand.NewPCG(3, 3))
		for i := range 400 {
			d := bucketstest.Dealt(random, tens, i%4)
			if got, want := compact.Bucket(i%4, d), table.Bucket(i%4, d); got != want || got < 0 ||
				got >= table.NumBuckets(i%4) {
				t.Fatalf("perfect recall %v: bucket %d of %v in round %d, want %d", perfect, got, d, i%4, want)
			}
		}
	}
}

// A strategy's buckets are decompressed when they are asked for. Damaged ones are not used.
func TestFromCompactDamagedBuckets(t *testing.T) {
	table := bucketstest.Build(t, small, smallRecipe, cluster.Options{})
	whole := bucketstest.File(t, table)
	random := rand.New(rand.NewPCG(6, 6))
	opened := 0
	for at := range len(whole) {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1 << (at % 8)
		read, err := buckets.FromCompact(damaged)
		if err != nil {
			continue
		}
		opened++
		for i := range 4 {
			d := bucketstest.Dealt(random, small, i%2)
			if got, want := read.Bucket(i%2, d), table.Bucket(i%2, d); got != want {
				t.Fatalf("damaged at byte %d: bucket %d of %v in round %d, want %d", at, got, d, i%2+1, want)
			}
		}
	}
	if opened == 0 {
		t.Error("all buckets are decompressed before they are asked for")
	}
}

// With perfect recall hands share a bucket only if they did in the round before.
func TestPerfectRecall(t *testing.T) {
	r := coarse
	r.PerfectRecall = true
	r.Rounds = []buckets.Round{{Feature: buckets.Histogram, Buckets: 4}, {Feature: buckets.Histogram, Buckets: 3},
		{Feature: buckets.Histogram, Buckets: 2}, {Feature: buckets.OCHS, Buckets: 3}}
	table := bucketstest.Build(t, tens, r, cluster.Options{})
	if n := table.NumBuckets(3); n != 4*3*2*3 {
		t.Errorf("%d buckets on the river", n)
	}
	random := rand.New(rand.NewPCG(4, 4))
	before := map[int]int{}
	for range 1000 {
		d := bucketstest.Dealt(random, tens, 3)
		river := table.Bucket(3, d)
		d.Board[3] = 0
		turn := table.Bucket(2, d)
		if other, ok := before[river]; ok && other != turn {
			t.Fatalf("bucket %d of the river is in %d and in %d of the turn", river, other, turn)
		}
		before[river] = turn
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	if _, err := buckets.Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	whole, err := bucketstest.Build(t, small, smallRecipe, cluster.Options{}).Compact()
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(whole)
	other[len(buckets.Magic)]++
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"empty": {nil, buckets.ErrForeign}, "text": {[]byte("round,cards,bucket\n"), buckets.ErrForeign},
		"version": {other, buckets.ErrVersion},
		"short":   {whole[:len(whole)-1], buckets.ErrCorrupt},
		"long":    {append(bytes.Clone(whole), 0), buckets.ErrCorrupt},
		"twice":   {append(bytes.Clone(whole), whole[len(buckets.Magic)+4:]...), buckets.ErrCorrupt},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := buckets.Open(path); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// FuzzDecode reads any bytes, or whole ones with a change: a table that is read has buckets
// within its bounds.
func FuzzDecode(f *testing.F) {
	whole, err := bucketstest.Build(f, small, smallRecipe, cluster.Options{}).Compact()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, uint16(0), byte(0))
	f.Add([]byte{}, uint16(40), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, change byte) {
		if len(data) == 0 {
			data = bytes.Clone(whole)
			data[int(at)%len(data)] ^= change
		}
		read, err := buckets.FromCompact(data)
		if err != nil || read.Fits(small) != nil {
			return
		}
		random := rand.New(rand.NewPCG(1, 1))
		for i := range 20 {
			if b := read.Bucket(i%2, bucketstest.Dealt(random, small, i%2)); b < 0 || b >= read.NumBuckets(i%2) {
				t.Fatalf("bucket %d of %d", b, read.NumBuckets(i%2))
			}
		}
	})
}
