package hexnet_test

import (
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"gamebots/solvers/hexnet"
)

func sample(t testing.TB) (*hexnet.Net, []byte) {
	t.Helper()
	n := randomNet(hexnet.Config{Blocks: 2, Channels: 16}, 7)
	n.Origin = hexnet.Origin{Game: "havannah", Sides: []int{3, 4}, Steps: 12, Seed: 7}
	data, err := n.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return n, data
}

func TestSavedNetIsLoaded(t *testing.T) {
	n, _ := sample(t)
	file := filepath.Join(t.TempDir(), "x.net")
	if err := n.Save(file); err != nil {
		t.Fatal(err)
	}
	got, err := hexnet.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, n) {
		t.Error("another network came back")
	}
}

// withSum returns data with the right checksum at its end.
func withSum(data []byte) []byte {
	if len(data) < 8 {
		return data
	}
	body := data[:len(data)-8]
	return binary.LittleEndian.AppendUint64(slices.Clip(body), xxh3.Hash(body))
}

func TestParseRefusesDamage(t *testing.T) {
	_, data := sample(t)
	damaged := func(at int, by byte) []byte {
		d := slices.Clone(data)
		d[at] ^= by
		return d
	}
	infinite := slices.Clone(data)
	binary.LittleEndian.PutUint32(infinite[len(infinite)-12:], math.Float32bits(float32(math.Inf(1))))
	for name, test := range map[string]struct {
		data []byte
		want error
	}{
		"empty":             {nil, hexnet.ErrForeign},
		"another file":      {[]byte("PNG and more"), hexnet.ErrForeign},
		"only the magic":    {data[:8], hexnet.ErrCorrupt},
		"another version":   {damaged(8, 2), hexnet.ErrVersion},
		"cut short":         {data[:len(data)-1], hexnet.ErrCorrupt},
		"a parameter":       {damaged(len(data)-20, 1), hexnet.ErrCorrupt},
		"a parameter less":  {withSum(slices.Concat(data[:len(data)-12], data[len(data)-8:])), hexnet.ErrCorrupt},
		"a longer header":   {withSum(damaged(13, 1)), hexnet.ErrCorrupt},
		"a header too long": {withSum(damaged(15, 0x80)), hexnet.ErrCorrupt},
		"an infinite one":   {withSum(infinite), hexnet.ErrCorrupt},
	} {
		if _, err := hexnet.Parse(test.data); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	_, data := sample(f)
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add(data[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range [][]byte{data, withSum(data)} {
			n, err := hexnet.Parse(d)
			if err != nil {
				if !errors.Is(err, hexnet.ErrForeign) && !errors.Is(err, hexnet.ErrVersion) &&
					!errors.Is(err, hexnet.ErrCorrupt) {
					t.Errorf("no known reason: %v", err)
				}
				continue
			}
			if len(n.Parameters) != n.Config.NumParameters() {
				t.Errorf("%v with %d parameters", n.Config, len(n.Parameters))
			}
		}
	})
}
