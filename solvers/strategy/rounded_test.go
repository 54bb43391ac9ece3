package strategy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// mixed is information sets of one to five actions, more than fit into a block.
func mixed() (sets []Sets, values []float32) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []Sets{{2, 5}, {1, 3}, {5, 7}, {3, 400}, {1, 1}, {2, 0}, {2, 90}} {
		sets = append(sets, s)
		for range s.Count {
			set, sum := make([]float32, s.Actions), float32(0)
			for i := range set {
				set[i] = float32(rng.ExpFloat64())
				if rng.IntN(3) == 0 && i > 0 {
					set[i] = 0
				}
				sum += set[i]
			}
			for _, x := range set {
				values = append(values, x/sum)
			}
		}
	}
	return sets, values
}

// Where steps are large, what is rare is never played: they go to the most probable actions instead. An action of a
// tenth and more may get one, and where steps are small any may.
func TestRoundedRare(t *testing.T) {
	for _, test := range []struct {
		steps int
		set   []float32
		want  []byte // the last is not written
	}{
		{7, []float32{.86, .06, .06, .02}, []byte{7, 0, 0}},
		{7, []float32{.8, .05, .05, .05, .05}, []byte{7, 0, 0, 0}},
		{7, []float32{.5, .38, .12}, []byte{3, 3}},
		{7, []float32{.06, .44, .5}, []byte{0, 3}},
		{1, []float32{.09, .45, .46}, []byte{0, 0}},
		{15, []float32{.04, .5, .46}, []byte{1, 7}},
	} {
		if got := round(nil, test.set, test.steps); !slices.Equal(got, test.want) {
			t.Errorf("%v in %d steps: %v, want %v", test.set, test.steps, got, test.want)
		}
	}
}

// A rounded probability is less than a step away from what was written, or two where rare actions lose theirs; those
// of an information set add up to one, and any range of them can be read.
func TestRounded(t *testing.T) {
	sets, values := mixed()
	for bits := 1; bits <= MaxBits; bits++ {
		meta := kuhnMeta
		meta.Bits, meta.Buckets = bits, []byte("some buckets")
		path := filepath.Join(t.TempDir(), "s")
		if err := writeRounded(path, meta, sets, 32, from(values)); err != nil {
			t.Fatal(err)
		}
		f := open(t, path)
		if f.Len() != uint64(len(values)) || f.Verify() != nil {
			t.Fatalf("%d bits: %d values, want %d; %v", bits, f.Len(), len(values), f.Verify())
		}
		if diff := cmp.Diff(meta, f.Meta()); diff != "" {
			t.Fatalf("%d bits: metadata (-written +read):\n%s", bits, diff)
		}
		got := readAll(t, f)
		steps, at := float64(meta.steps()), 0
		within := 1 / steps
		if steps*rare < 1 {
			within *= 2
		}
		for _, s := range sets {
			for range s.Count {
				sum := 0.0
				for i, v := range got[at : at+s.Actions] {
					in := math.Round(float64(v) * steps)
					if float64(v) != float64(float32(in)/float32(steps)) ||
						math.Abs(float64(v-values[at+i])) > within+1e-6 {
						t.Fatalf("%d bits: value %d is %v, written %v", bits, at+i, v, values[at+i])
					}
					sum += in
				}
				if sum != steps {
					t.Fatalf("%d bits: values from %d on add up to %v of %v steps", bits, at, sum, steps)
				}
				at += s.Actions
			}
		}
		rng := rand.New(rand.NewPCG(3, uint64(bits)))
		for range 500 {
			from := rng.IntN(len(got))
			part := make([]float32, rng.IntN(min(300, len(got)-from)+1))
			if err := f.Read(uint64(from), part); err != nil || !slices.Equal(part, got[from:from+len(part)]) {
				t.Fatalf("%d bits: %d values from %d on: %v, %v", bits, len(part), from, part, err)
			}
		}
	}
}

// What is rounded already is written again as the same file.
func TestRoundedTwice(t *testing.T) {
	sets, values := mixed()
	meta := kuhnMeta
	meta.Bits = 8
	var files [2][]byte
	for i := range files {
		path := filepath.Join(t.TempDir(), "s")
		if err := WriteRounded(path, meta, sets, from(values)); err != nil {
			t.Fatal(err)
		}
		values = readAll(t, open(t, path))
		files[i], _ = os.ReadFile(path)
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("the second file differs from the first")
	}
}

func TestRefusedRounding(t *testing.T) {
	for name, c := range map[string]struct {
		bits int
		set  []float32
		want string
	}{
		"no bits":       {0, []float32{0.5, 0.5}, "0 bits a probability"},
		"too many bits": {9, []float32{0.5, 0.5}, "9 bits a probability"},
		"too little":    {8, []float32{0.5, 0.4}, "values 0 to 1 add up to 0.9"},
		"too much":      {8, []float32{0.5, 0.6}, "values 0 to 1 add up to 1.1"},
		"NaN":           {8, []float32{1, float32(math.NaN())}, "value 1 is NaN"},
	} {
		meta := kuhnMeta
		meta.Bits = c.bits
		path := filepath.Join(t.TempDir(), "s")
		err := WriteRounded(path, meta, []Sets{{2, 1}}, from(c.set))
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	meta := kuhnMeta
	meta.Bits = 8
	if err := Write(filepath.Join(t.TempDir(), "s"), meta, 2, from([]float32{0.5, 0.5})); err == nil {
		t.Error("floats were written as rounded")
	}
}

// Rounded files whose checksums are right and whose contents are wrong.
func TestForgedRoundedFiles(t *testing.T) {
	compressor, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	block := func(b byte) []byte { return compressor.EncodeAll(slices.Repeat([]byte{b}, 16), nil) }
	h := header{BlockLen: 16, Values: 16, GameHash: Meta{}.GameHash()}
	const right = `{"bits":4,"sets_bytes":2,"buckets_bytes":0}`
	sets := func(bytes ...byte) string {
		return fmt.Sprintf(`{"bits":4,"sets_bytes":%d}`, len(bytes)) + string(bytes)
	}
	for name, c := range map[string]struct {
		version uint32
		meta    string
		fill    byte
		want    string
	}{
		"right":            {versionRounded, right + "\x03\x08", 7, ""},
		"floats with bits": {versionFloat, `{"bits":4}`, 0, "in a file of floats"},
		"no JSON":          {versionRounded, `{"bits":`, 0, "metadata: "},
		"no bits":          {versionRounded, `{"sets_bytes":2}` + "\x03\x08", 0, "0 bits"},
		"too many bits":    {versionRounded, `{"sets_bytes":2,"bits":9}` + "\x03\x08", 0, "9 bits"},
		"no bytes of sets": {versionRounded, right, 0, "2 bytes of information sets and 0 of buckets in 0"},
		"bytes of nothing": {versionRounded, right + "\x03\x08\x00",
			0, "2 bytes of information sets and 0 of buckets in 3"},
		"fewer than no bytes": {versionRounded, `{"bits":4,"sets_bytes":-1,"buckets_bytes":3}` + "\x03\x08",
			0, "-1 bytes"},
		"no sets":    {versionRounded, sets(), 0, "have 0 values, the file has 16"},
		"other sets": {versionRounded, sets(3, 7), 0, "have 14 values, the file has 16"},
		"half a run": {versionRounded, sets(3, 8, 3), 0, "cut short"},
		"an endless number": {versionRounded, sets(3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
			0, "cut short"},
		"no action":        {versionRounded, sets(0, 8), 0, "8 information sets of 0 actions"},
		"too many actions": {versionRounded, sets(0x81, 0x80, 4, 1), 0, "1 information sets of 65537 actions"},
		"too many sets": {versionRounded, sets(3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
			0, "information sets of 3 actions"},
		"sums over all steps":   {versionRounded, right + "\x03\x08", 8, "more than 15 steps"},
		"values over all steps": {versionRounded, right + "\x03\x08", 200, "more than 15 steps"},
	} {
		h.Version = c.version
		err := use(forge(h, c.meta, 0, block(c.fill)))
		if c.want == "" && err != nil ||
			c.want != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}
