package buckets

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// small is hold'em with twelve cards and two rounds, and a recipe for it.
var (
	small       = game(3, 4, 2, 0, 2)
	smallRecipe = Recipe{Name: "small", Seed: 1, Iterations: 5, Bins: 6, Clusters: 2,
		Rounds: []Round{{Feature: Histogram, Buckets: 4}, {Feature: OCHS, Buckets: 5}}}
)

func TestFile(t *testing.T) {
	for _, perfect := range []bool{false, true} {
		r := coarse
		r.PerfectRecall = perfect
		if perfect {
			r.Rounds = slices.Clone(r.Rounds)
			r.Rounds[0] = Round{Feature: Histogram, Buckets: 4}
		}
		table := build(t, tens, r, Options{})
		path := filepath.Join(t.TempDir(), "x.buckets")
		if err := table.Write(path); err != nil {
			t.Fatal(err)
		}
		read, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := table.Compact()
		if err != nil {
			t.Fatal(err)
		}
		compact, err := FromCompact(data)
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
		if !equal(read, table) || !equal(filled, table) || compact.Name() != table.Name() ||
			!slices.Equal(read.Reports(), table.Reports()) {
			t.Errorf("perfect recall %v: other buckets are read than were written", perfect)
		}
		random := rand.New(rand.NewPCG(3, 3))
		for i := range 400 {
			d := dealt(random, tens, i%4)
			if got, want := compact.Bucket(i%4, d), table.Bucket(i%4, d); got != want || got < 0 ||
				got >= table.NumBuckets(i%4) {
				t.Fatalf("perfect recall %v: bucket %d of %v in round %d, want %d", perfect, got, d, i%4, want)
			}
		}
	}
}

// A strategy's buckets are decompressed when they are asked for. Damaged ones are not used.
func TestFromCompactDamagedBuckets(t *testing.T) {
	table := build(t, small, smallRecipe, Options{})
	var out bytes.Buffer
	if err := table.encode(&out, zstd.SpeedFastest, func(int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(6, 6))
	opened := 0
	for at := range out.Len() {
		damaged := bytes.Clone(out.Bytes())
		damaged[at] ^= 1 << (at % 8)
		read, err := FromCompact(damaged)
		if err != nil {
			continue
		}
		opened++
		for i := range 4 {
			d := dealt(random, small, i%2)
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
	r.Rounds = []Round{{Feature: Histogram, Buckets: 4}, {Feature: Histogram, Buckets: 3},
		{Feature: Histogram, Buckets: 2}, {Feature: OCHS, Buckets: 3}}
	table := build(t, tens, r, Options{})
	if n := table.NumBuckets(3); n != 4*3*2*3 {
		t.Errorf("%d buckets on the river", n)
	}
	random := rand.New(rand.NewPCG(4, 4))
	before := map[int]int{}
	for range 1000 {
		d := dealt(random, tens, 3)
		river := table.Bucket(3, d)
		d.Board[3] = 0
		turn := table.Bucket(2, d)
		if other, ok := before[river]; ok && other != turn {
			t.Fatalf("bucket %d of the river is in %d and in %d of the turn", river, other, turn)
		}
		before[river] = turn
	}
}

// A build that is interrupted goes on after the last round, with the same result.
func TestResume(t *testing.T) {
	want := build(t, tens, coarse, Options{})
	path := filepath.Join(t.TempDir(), "x.partial")
	stop := errors.New("stop")
	for rounds := 1; rounds < 4; rounds++ {
		_, err := Build(t.Context(), tens, coarse, Options{OnRound: func(done *Table) error {
			if len(done.rounds) < rounds {
				return nil
			}
			return errors.Join(done.Write(path), stop)
		}})
		if !errors.Is(err, stop) {
			t.Fatalf("after %d rounds: %v", rounds, err)
		}
		if _, err := Open(path); !errors.Is(err, ErrUnfinished) {
			t.Errorf("a file with %d rounds is opened: %v", rounds, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := FromCompact(data); !errors.Is(err, ErrUnfinished) {
			t.Errorf("a strategy may have buckets of %d rounds: %v", rounds, err)
		}
		from, err := openUnfinished(path, DeckOf(tens), coarse)
		if err != nil || len(from.rounds) != rounds {
			t.Fatalf("%d rounds are read: %v", rounds, err)
		}
		if got := build(t, tens, coarse, Options{From: from}); !equal(got, want) {
			t.Errorf("resumed after %d rounds, other buckets are made", rounds)
		}
		other := coarse
		other.Seed++
		if from, err := openUnfinished(path, DeckOf(tens), other); from != nil || err != nil {
			t.Errorf("the rounds of another recipe are taken: %v", err)
		}
	}
}

func TestBuildStops(t *testing.T) {
	for _, phase := range []string{"histograms with 4 board cards", "clusters of hole cards", "round 3: k-means",
		"round 4: buckets"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Build(ctx, tens, coarse, Options{OnProgress: func(p string, part float64) {
			if p == phase {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", phase, err)
		}
		cancel()
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	if _, err := Open(filepath.Join(folder, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	whole, err := build(t, small, smallRecipe, Options{}).Compact()
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(whole)
	other[len(Magic)]++
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"empty": {nil, ErrForeign}, "text": {[]byte("round,cards,bucket\n"), ErrForeign},
		"version": {other, ErrVersion},
		"short":   {whole[:len(whole)-1], ErrCorrupt}, "long": {append(bytes.Clone(whole), 0), ErrCorrupt},
		"twice": {append(bytes.Clone(whole), whole[len(Magic)+4:]...), ErrCorrupt},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, test.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// A short file cannot take the memory of more buckets than are possible.
func TestReadRoundRefuses(t *testing.T) {
	d := Deck{Suits: 4, Ranks: 13, Hole: 2, Board: []int{5}, Ranking: "acpc"}
	table := newTable(d, Recipe{Bins: maxBins, Rounds: []Round{{Feature: Histogram}}})
	for _, buckets := range []int{maxBuckets + 1, maxCoordinates/(maxBins-1) + 1} {
		zeros := new(endless)
		if err := table.readRound(zeros, 0, &roundHeader{Buckets: buckets, Dim: maxBins - 1}, false); err == nil ||
			zeros.read > 0 {
			t.Errorf("%d buckets: error %v after %d bytes", buckets, err, zeros.read)
		}
	}
}

// endless is zeros without end, up to more than a reader should take.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += len(p); e.read > 1<<24 {
		return 0, io.EOF
	}
	clear(p)
	return len(p), nil
}

// FuzzDecode reads any bytes, or whole ones with a change: a table that is read has buckets
// within its bounds.
func FuzzDecode(f *testing.F) {
	table, err := Build(f.Context(), small, smallRecipe, Options{})
	if err != nil {
		f.Fatal(err)
	}
	whole, err := table.Compact()
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
		read, err := FromCompact(data)
		if err != nil || read.Fits(small) != nil {
			return
		}
		random := rand.New(rand.NewPCG(1, 1))
		for i := range 20 {
			if b := read.Bucket(i%2, dealt(random, small, i%2)); b < 0 || b >= read.NumBuckets(i%2) {
				t.Fatalf("bucket %d of %d", b, read.NumBuckets(i%2))
			}
		}
	})
}
