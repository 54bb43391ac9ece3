package strategy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// cacheSlots is the number of decompressed blocks that a File caches: 4 MiB at the
// usual block length. The cache is direct-mapped.
const cacheSlots = 256

// File is an open strategy file, mapped into memory. All methods may be called
// from many goroutines. While it is open the file on disk may be replaced, as
// [Write] does, but not be cut short or written to in place.
type File struct {
	path         string
	decompressor *zstd.Decoder
	cache        [cacheSlots]slot

	mu    sync.RWMutex // held for writing by Close, which takes the mapping away
	image *image       // its data is the mapping, nil when closed
}

// slot holds the values of at most one block, as bytes.
type slot struct {
	mu    sync.Mutex
	block uint64
	raw   []byte // empty while the slot holds none
}

// Open maps a strategy file and checks its header, metadata and index, but not
// the blocks of values: [File.Read] and [File.Verify] do.
func Open(path string) (*File, error) {
	mapping, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	f, err := newFile(path, mapping)
	if err != nil {
		return nil, errors.Join(err, unmap(mapping))
	}
	return f, nil
}

func mapFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch size := info.Size(); {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w: not a regular file", path, ErrForeign)
	case size == 0:
		return nil, nil // the system maps no empty file
	case int64(int(size)) != size:
		return nil, fmt.Errorf("%s: %d bytes are too many to map on this machine", path, size)
	}
	mapping, err := mapWhole(f, int(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	return mapping, nil
}

// newFile returns the File with the given bytes; path is for errors.
func newFile(path string, data []byte) (*File, error) {
	image, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	// A block that decompresses to more than its size is cut off.
	decompressor, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	return &File{path: path, decompressor: decompressor, image: image}, nil
}

// Meta returns the description of the strategy.
func (f *File) Meta() Meta { return f.image.meta }

// Len returns the number of values.
func (f *File) Len() uint64 { return f.image.length() }

// CheckGame returns nil if the strategy is for the game with this definition, and
// otherwise an [ErrOtherGame] that names the first line that differs.
func (f *File) CheckGame(gameText string) error {
	line, inFile, wanted := firstDifference(f.image.meta.GameText, gameText)
	if line == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w: its game is %q, where line %d is %q, not %q", f.path, ErrOtherGame,
		f.image.meta.Game, line, inFile, wanted)
}

// Verify checks the checksums of all blocks; it reads the whole file.
func (f *File) Verify() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.image.data == nil {
		return f.errClosed()
	}
	for block := range f.image.blocks() {
		if _, err := f.image.stored(block); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

// Read sets dst to the values from index at on. Recently used blocks come from a cache;
// others are decompressed.
func (f *File) Read(at uint64, dst []float32) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.image.data == nil {
		return f.errClosed()
	}
	if n := f.Len(); at > n || uint64(len(dst)) > n-at {
		return fmt.Errorf("%s: %d values from index %d on, but the file has %d", f.path, len(dst), at, n)
	}
	var err error
	if f.image.Version == versionRounded {
		err = f.readRounded(at, dst)
	} else {
		err = f.readFloats(at, dst)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return nil
}

func (f *File) readFloats(at uint64, dst []float32) error {
	return f.view(at, len(dst), func(raw []byte, from int) error {
		for i := range len(raw) / valueSize {
			v := math.Float32frombits(binary.LittleEndian.Uint32(raw[i*valueSize:]))
			if !isProbability(v) {
				return fmt.Errorf("%w: block %d: its value %d is %v, not a probability", ErrCorrupt,
					(at+uint64(from+i))/uint64(f.image.BlockLen), (at+uint64(from+i))%uint64(f.image.BlockLen), v)
			}
			dst[from+i] = v
		}
		return nil
	})
}

// view calls take with the bytes of n stored values from number at on, block by block, each
// time with the number of those before. The bytes are valid during the call.
func (f *File) view(at uint64, n int, take func(raw []byte, from int) error) error {
	for from := 0; from < n; {
		taken, err := f.viewBlock(at+uint64(from), n-from, func(raw []byte) error { return take(raw, from) })
		if err != nil {
			return err
		}
		from += taken
	}
	return nil
}

// viewBlock is view for the values of one block, and returns their number.
func (f *File) viewBlock(at uint64, n int, take func(raw []byte) error) (taken int, err error) {
	block, from := at/uint64(f.image.BlockLen), int(at%uint64(f.image.BlockLen))
	s := &f.cache[block%cacheSlots]
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.raw) == 0 || s.block != block {
		if err := f.load(s, block); err != nil {
			return 0, err
		}
	}
	size := f.image.valueSize()
	raw := s.raw[from*size:]
	taken = min(n, len(raw)/size)
	return taken, take(raw[:taken*size])
}

// load decompresses a block into its slot, which the caller has locked.
func (f *File) load(s *slot, block uint64) error {
	s.raw = s.raw[:0] // empty after an error
	stored, err := f.image.stored(block)
	if err != nil {
		return err
	}
	size := f.image.rawSize(block)
	buffer := s.raw
	if cap(buffer) < size {
		buffer = make([]byte, 0, size)
	}
	raw, err := f.decompressor.DecodeAll(stored, buffer[:0:size])
	if err != nil {
		return fmt.Errorf("%w: block %d: %w", ErrCorrupt, block, err)
	}
	if len(raw) != size {
		return fmt.Errorf("%w: block %d has %d bytes of values, not %d", ErrCorrupt, block, len(raw), size)
	}
	s.block, s.raw = block, raw
	return nil
}

// Close unmaps the file after the reads in progress. Metadata and length stay readable.
// A second Close is an error.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.image.data == nil {
		return f.errClosed()
	}
	f.decompressor.Close()
	mapping := f.image.data
	f.image.data = nil
	return unmap(mapping)
}

func (f *File) errClosed() error { return fmt.Errorf("%s: %w", f.path, fs.ErrClosed) }
