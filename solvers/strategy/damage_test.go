package strategy

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// sample returns the bytes of the sample file, which has two blocks.
func sample(t testing.TB) []byte { return sampleAt(t, samplePath) }

func sampleAt(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// use opens a file's bytes and reads all values, a block's worth at a time. Information sets
// of one action take no room in a file, so there may be any number: use reads some of them.
func use(data []byte) error {
	f, err := newFile("damaged", data)
	if err != nil {
		return err
	}
	defer f.decompressor.Close()
	buffer := make([]float32, defaultBlockLen)
	for at, n := uint64(0), min(f.Len(), 1<<20); at < n; at += uint64(len(buffer)) {
		buffer = buffer[:min(uint64(len(buffer)), n-at)]
		if err := f.Read(at, buffer); err != nil {
			return err
		}
	}
	return nil
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	testEveryFlippedBit(t, sample(t))
	testEveryFlippedBit(t, sampleAt(t, roundedSamplePath))
}

func testEveryFlippedBit(t *testing.T, data []byte) {
	t.Helper()
	if err := use(data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		want := ErrCorrupt
		switch {
		case i < len(Magic):
			want = ErrForeign
		case i < len(Magic)+4:
			want = ErrVersion
		}
		for bit := range 8 {
			data[i] ^= 1 << bit
			if err := use(data); !errors.Is(err, want) {
				t.Errorf("byte %d, bit %d: error is %v, not %v", i, bit, err, want)
			}
			data[i] ^= 1 << bit
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	data := sample(t)
	for size := range data {
		if err := use(data[:size]); !errors.Is(err, ErrTruncated) {
			t.Errorf("%d bytes of %d: error is %v", size, len(data), err)
		}
	}
}

// The errors that a user sees name the problem and the file.
func TestRefusedFiles(t *testing.T) {
	whole := sample(t)
	flip := func(i int) string {
		data := []byte(string(whole))
		data[i] ^= 0x10
		return string(data)
	}
	for name, c := range map[string]struct {
		data   string
		want   error
		detail string
	}{
		"empty":          {"", ErrTruncated, "0 bytes"},
		"text":           {"GAMEDEF\n", ErrForeign, ""},
		"newer version":  {Magic + "\x03\x00\x00\x00", ErrVersion, "3, this program knows 1 and 2"},
		"cut short":      {string(whole[:300]), ErrTruncated, "300 bytes of "},
		"appended to":    {string(whole) + "xyz", ErrCorrupt, "3 bytes after the end"},
		"header damage":  {flip(20), ErrCorrupt, "header"},
		"index damage":   {flip(headerSize + 5), ErrCorrupt, "metadata and index"},
		"block 1 damage": {flip(len(whole) - 1), ErrCorrupt, "block 1 of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "kuhn.strategy")
			if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err == nil {
				defer f.Close()
				err = f.Verify()
			}
			if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), path+": "+c.want.Error()) ||
				!strings.Contains(err.Error(), c.detail) {
				t.Errorf("error is %v", err)
			}
		})
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// forge makes a file with one block of 16 values and right checksums of
// whatever it is given.
func forge(h header, meta string, end uint64, block []byte) []byte {
	copy(h.Magic[:], Magic)
	if h.Version == 0 {
		h.Version = versionFloat
	}
	h.MetaSize = uint64(len(meta))
	start := headerSize + h.MetaSize + entrySize
	h.Size = start + uint64(len(block))
	if end == 0 {
		end = h.Size
	}
	front := entry{End: end, Sum: xxh3.Hash(block)}.append([]byte(meta))
	return append(h.seal(front), block...)
}

// Files whose checksums are right and whose contents are wrong.
func TestForgedFiles(t *testing.T) {
	compressor, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zeros := func(n int) []byte { return compressor.EncodeAll(make([]byte, n), nil) }
	nan := make([]byte, 16*valueSize)
	binary.LittleEndian.PutUint32(nan[4:], 0x7fc00000)
	const meta = `{"game":"g"}`
	good := header{BlockLen: 16, Values: 16, GameHash: Meta{}.GameHash()}
	with := func(change func(*header)) header { h := good; change(&h); return h }
	if err := use(forge(good, meta, 0, zeros(64))); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"block length zero": {forge(with(func(h *header) { h.BlockLen = 0 }), meta, 0, zeros(64)), "0 values a block"},
		"block length huge": {forge(with(func(h *header) { h.BlockLen = 1 << 31 }), meta, 0, zeros(64)),
			"values a block"},
		"too many values": {forge(with(func(h *header) { h.Values = 1 << 63 }), meta, 0, zeros(64)),
			"blocks in a file of"},
		"another game": {forge(with(func(h *header) { h.GameHash[0]++ }), meta, 0, zeros(64)), "hash"},
		"not JSON":     {forge(good, `{"game":`, 0, zeros(64)), "metadata: "},
		"block ends early": {forge(good, meta, headerSize+uint64(len(meta))+entrySize, zeros(64)),
			"the last block ends"},
		"block starts late": {forge(good, meta, 1, zeros(64)), "block 0 ends at byte 1"},
		"block ends late":   {forge(good, meta, 1<<40, zeros(64)), "block 0 ends at byte 1099511627776"},
		"no zstd":           {forge(good, meta, 0, make([]byte, 64)), "block 0: "},
		"too few values":    {forge(good, meta, 0, zeros(60)), "60 bytes of values, not 64"},
		"too many bytes":    {forge(good, meta, 0, zeros(68)), "block 0: "},
		"bomb":              {forge(good, meta, 0, zeros(64<<20)), "block 0: "},
		"bombs in a row":    {forge(good, meta, 0, append(zeros(64), zeros(64<<20)...)), "block 0: "},
		"NaN":               {forge(good, meta, 0, compressor.EncodeAll(nan, nil)), "its value 1 is NaN"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := use(c.data)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v", name, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 4<<20 {
			t.Errorf("%s: refusing it took %d bytes of memory", name, taken)
		}
	}
}
