package checkpoint

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"unsafe"

	"gamebots/internal/atomicfile"
	"gamebots/internal/parallel"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// State is everything that a training carries from one iteration to the next,
// including the number of iterations. ReadState reads a state of WriteState, in a
// trainer that was made in the same way. Both then continue identically, to the last
// bit.
type State interface {
	WriteState(w io.Writer) error
	// ReadState reads no more than WriteState wrote.
	ReadState(r io.Reader) error
}

// A file is a preamble with the metadata, and the state in blocks. The last block is
// empty, so that a file cut short between two blocks is detected.
const (
	// Magic is what a checkpoint begins with. The first byte keeps it from passing for text.
	Magic   = "\x93GBCHECK"
	version = 1

	// blockSize is the size of a block before compression. It bounds the memory that
	// a block of a damaged file can take.
	blockSize = 1 << 20
	// maxMeta bounds the metadata in the same way.
	maxMeta = 1 << 26
)

// preamble is the fixed part of a file, field by field as it is stored.
type preamble struct {
	Magic    [8]byte
	Version  uint32
	MetaSize uint32
	Sum      uint64 // xxh3 of all of the above and of the metadata, which follows
}

// blockHead comes before each block.
type blockHead struct {
	Raw    uint32 // bytes of the state
	Stored uint32 // bytes in the file, compressed
	// Sum is the xxh3 of the block's number from 0 as 8 bytes, of Raw, Stored
	// and of the block as stored.
	Sum uint64
}

// Write writes the checkpoint of a state to the file path and replaces an older one,
// which is still there after an error.
func Write(path string, m Meta, s State) error {
	if err := write(path, m, s); err != nil {
		return fmt.Errorf("write checkpoint %s: %w", path, err)
	}
	return nil
}

func write(path string, m Meta, s State) (err error) {
	meta, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(meta) > maxMeta {
		return fmt.Errorf("%d bytes of metadata are over the limit of %d", len(meta), maxMeta)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()
	p := preamble{Version: version, MetaSize: uint32(len(meta))}
	copy(p.Magic[:], Magic)
	p.Sum = p.sum(meta)
	front, _ := binary.Append(nil, binary.LittleEndian, p) // all sizes are fixed: cannot fail
	if _, err := file.Write(append(front, meta...)); err != nil {
		return err
	}
	threads := runtime.GOMAXPROCS(0)
	compressor, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(threads),
		zstd.WithEncoderCRC(false)) // each block has a checksum already
	if err != nil {
		return err
	}
	w := &blockWriter{file: file, compressor: compressor, threads: threads}
	if err := s.WriteState(w); err != nil {
		return cmp.Or(w.err, err) // a state in parts reports the same error for each
	}
	if err := w.flush(); err != nil {
		return err
	}
	if _, err := file.Write(w.block(w.number, nil, nil)); err != nil { // the empty block
		return err
	}
	return file.Commit()
}

func (p preamble) sum(meta []byte) uint64 {
	h := xxh3.New()
	h.Write(p.Magic[:])
	var sizes [8]byte
	binary.LittleEndian.PutUint32(sizes[:], p.Version)
	binary.LittleEndian.PutUint32(sizes[4:], p.MetaSize)
	h.Write(sizes[:])
	h.Write(meta)
	return h.Sum64()
}

func (b blockHead) sum(number uint64, stored []byte) uint64 {
	h := xxh3.New()
	var front [16]byte
	binary.LittleEndian.PutUint64(front[:], number)
	binary.LittleEndian.PutUint32(front[8:], b.Raw)
	binary.LittleEndian.PutUint32(front[12:], b.Stored)
	h.Write(front[:])
	h.Write(stored)
	return h.Sum64()
}

// blocksAtOnce is how many blocks each thread compresses before they are written.
const blocksAtOnce = 2

// blockWriter cuts its input into blocks, and compresses them on several threads.
type blockWriter struct {
	file       io.Writer
	compressor *zstd.Encoder
	threads    int
	raw        []byte   // bytes to write
	out        [][]byte // the blocks of raw, compressed
	number     uint64   // number of the first block of raw
	err        error    // error of the file, which ends the work
}

func (w *blockWriter) Write(data []byte) (int, error) {
	written := 0
	for size := blocksAtOnce * w.threads * blockSize; len(data) > 0; {
		n := min(len(data), size-len(w.raw))
		w.raw = append(w.raw, data[:n]...)
		data, written = data[n:], written+n
		if len(w.raw) == size {
			if err := w.flush(); err != nil {
				return written, err
			}
		}
	}
	return written, nil
}

// flush writes the data since the last flush as blocks, the last of which may be shorter.
func (w *blockWriter) flush() error {
	if w.err != nil {
		return w.err
	}
	blocks := slices.Collect(slices.Chunk(w.raw, blockSize))
	if len(w.out) < len(blocks) {
		w.out = make([][]byte, len(blocks))
	}
	parallel.For(w.threads, len(blocks), func(_, i int) {
		w.out[i] = w.block(w.number+uint64(i), blocks[i], w.out[i])
	})
	for _, out := range w.out[:len(blocks)] {
		if _, w.err = w.file.Write(out); w.err != nil {
			return w.err
		}
	}
	w.raw, w.number = w.raw[:0], w.number+uint64(len(blocks))
	return nil
}

// block returns a block with its head, in the memory of a slice.
func (w *blockWriter) block(number uint64, raw, memory []byte) []byte {
	const head = 16
	out := w.compressor.EncodeAll(raw, append(memory[:0], make([]byte, head)...))
	b := blockHead{Raw: uint32(len(raw)), Stored: uint32(len(out) - head)}
	b.Sum = b.sum(number, out[head:])
	_, _ = binary.Encode(out, binary.LittleEndian, b) // the head has room: cannot fail
	return out
}

// WriteSlice writes fixed-size numbers of a State in little endian.
func WriteSlice[T any](w io.Writer, items []T) error {
	if !littleEndian {
		return binary.Write(w, binary.LittleEndian, items)
	}
	_, err := w.Write(bytesOf(items))
	return err
}

// ReadSlice fills items with the same number of items that WriteSlice wrote.
func ReadSlice[T any](r io.Reader, items []T) error {
	if !littleEndian {
		return binary.Read(r, binary.LittleEndian, items)
	}
	_, err := io.ReadFull(r, bytesOf(items))
	return err
}

// littleEndian is whether numbers in memory are as in a file. States have gigabytes of them,
// so they are not converted where they need not be.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// bytesOf returns the memory of numbers as bytes.
func bytesOf[T any](items []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(items))), len(items)*int(unsafe.Sizeof(*new(T))))
}
