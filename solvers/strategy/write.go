package strategy

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"

	"gamebots/internal/atomicfile"
	"gamebots/internal/parallel"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// Write makes the strategy file path with n probabilities. It calls fill for all
// of them, a run at a time, from several goroutines at once: fill sets all of dst to
// the values from number at on. A few MiB for each of these are in memory at a time.
//
// The file is written beside path under another name, brought to the disk and
// then renamed, so that after an error, fill's included, the file that was at path
// before is unchanged. Something at path that is not a regular file is left
// alone, and a value outside [0, 1] is an error.
func Write(path string, meta Meta, n uint64, fill func(dst []float32, at uint64) error) error {
	if err := write(path, meta, n, defaultBlockLen, fill); err != nil {
		return fmt.Errorf("write strategy %s: %w", path, err)
	}
	return nil
}

func write(path string, meta Meta, n uint64, blockLen int, fill func(dst []float32, at uint64) error) error {
	if meta.Bits != 0 {
		return errors.New("rounded probabilities need their information sets")
	}
	h, err := newHeader(meta, n, blockLen)
	if err != nil {
		return err
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	return writeBlocks(path, h, text, zstd.SpeedFastest, func(b *blocks) error {
		return b.addValues(n, fill)
	})
}

// WriteRounded is Write with probabilities of meta.Bits bits, 1 to 8. The file is several
// times smaller. It leaves out those of the last actions of the information sets, whose
// probabilities must add up to 1. It calls fill for whole information sets, one run of
// them after the other.
func WriteRounded(path string, meta Meta, sets []Sets, fill func(dst []float32, at uint64) error) error {
	if err := writeRounded(path, meta, sets, roundedBlockLen, fill); err != nil {
		return fmt.Errorf("write strategy %s: %w", path, err)
	}
	return nil
}

func writeRounded(path string, meta Meta, sets []Sets, blockLen int, fill func(dst []float32, at uint64) error) error {
	if meta.Bits < 1 || meta.Bits > MaxBits {
		return fmt.Errorf("%d bits a probability, not 1 to %d", meta.Bits, MaxBits)
	}
	stored := uint64(0)
	for _, s := range sets {
		stored += uint64(s.Count) * uint64(s.Actions-1)
	}
	h, err := newHeader(meta, stored, blockLen)
	if err != nil {
		return err
	}
	text, err := marshalRounded(meta, sets)
	if err != nil {
		return err
	}
	// A file is rounded once and copied often, so that the best compression is worth its time.
	return writeBlocks(path, h, text, zstd.SpeedBestCompression, func(b *blocks) error {
		at := uint64(0)
		var values []float32
		var raw []byte
		for _, s := range sets {
			for left := s.Count; left > 0; {
				count := min(left, max(1, valuesAtOnce/s.Actions))
				left -= count
				values = append(values[:0], make([]float32, count*s.Actions)...)
				if err := errors.Join(fill(values, at), check(values, at)); err != nil {
					return err
				}
				raw = raw[:0]
				for set := range slices.Chunk(values, s.Actions) {
					sum := 0.0
					for _, v := range set {
						sum += float64(v)
					}
					if math.Abs(sum-1) > 1e-3 {
						return fmt.Errorf("values %d to %d add up to %v, not to 1", at, at+uint64(len(set))-1, sum)
					}
					raw = round(raw, set, meta.steps())
					at += uint64(len(set))
				}
				if err := b.add(raw); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// writeBlocks writes a file with some metadata and the blocks that fill adds.
func writeBlocks(path string, h header, meta []byte, level zstd.EncoderLevel, fill func(b *blocks) error) (err error) {
	threads := runtime.GOMAXPROCS(0)
	compressor, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(threads),
		zstd.WithEncoderCRC(false)) // the index has a checksum already
	if err != nil {
		return err
	}
	h.MetaSize = uint64(len(meta))
	h.Size = h.front()
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()
	b := &blocks{header: h, index: meta, out: file, compressor: compressor, threads: threads,
		batch: make([]block, blocksAtOnce*threads)}
	if err := fill(b); err != nil {
		return err
	}
	if err := b.flush(); err != nil {
		return err
	}
	if _, err := file.WriteAt(b.seal(b.index), 0); err != nil {
		return err
	}
	return file.Commit()
}

const (
	// blocksAtOnce is how many blocks each thread compresses before they are written.
	blocksAtOnce = 64
	// valuesAtOnce is about how many values are rounded at once.
	valuesAtOnce = 1 << 14
)

// blocks writes the blocks of a file one after the other, and compresses them on several
// threads.
type blocks struct {
	header
	index      []byte // with the metadata before it
	out        io.WriterAt
	compressor *zstd.Encoder
	threads    int
	batch      []block // blocks that are compressed at once
	raw        []byte  // values of the next blocks
}

// block is a block as it is compressed, in memory that is used again.
type block struct {
	values      []float32
	raw, stored []byte
}

// addValues adds n values of fill.
func (b *blocks) addValues(n uint64, fill func(dst []float32, at uint64) error) error {
	blockLen := uint64(b.BlockLen)
	for from := uint64(0); from < n; from += blockLen * uint64(len(b.batch)) {
		count := int(min((n-from-1)/blockLen+1, uint64(len(b.batch))))
		err := b.addBlocks(count, func(i int, x *block) error {
			at := from + uint64(i)*blockLen
			x.values = append(x.values[:0], make([]float32, min(blockLen, n-at))...)
			if err := fill(x.values, at); err != nil {
				return err
			}
			for _, v := range x.values {
				x.raw = binary.LittleEndian.AppendUint32(x.raw, math.Float32bits(v))
			}
			return check(x.values, at)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds values, as bytes.
func (b *blocks) add(raw []byte) error {
	for size := len(b.batch) * int(b.BlockLen) * b.valueSize(); len(raw) > 0; {
		n := min(len(raw), size-len(b.raw))
		b.raw, raw = append(b.raw, raw[:n]...), raw[n:]
		if len(b.raw) == size {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the values that were added since the last blocks, if any.
func (b *blocks) flush() error {
	parts := slices.Collect(slices.Chunk(b.raw, int(b.BlockLen)*b.valueSize()))
	b.raw = b.raw[:0]
	return b.addBlocks(len(parts), func(i int, x *block) error {
		x.raw = append(x.raw, parts[i]...)
		return nil
	})
}

// addBlocks adds n blocks, at most a batch. set sets the raw bytes, which are empty, of the
// block of a number.
func (b *blocks) addBlocks(n int, set func(i int, x *block) error) error {
	err := parallel.Try(b.threads, n, func(i int) error {
		x := &b.batch[i]
		x.raw = x.raw[:0]
		if err := set(i, x); err != nil {
			return err
		}
		x.stored = b.compressor.EncodeAll(x.raw, x.stored[:0])
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range b.batch[:n] {
		if _, err := b.out.WriteAt(x.stored, int64(b.Size)); err != nil {
			return err
		}
		b.Size += uint64(len(x.stored))
		b.index = entry{End: b.Size, Sum: xxh3.Hash(x.stored)}.append(b.index)
	}
	return nil
}

// check returns an error unless the values from number at on are probabilities.
func check(values []float32, at uint64) error {
	for i, v := range values {
		if !isProbability(v) {
			return fmt.Errorf("value %d is %v, not a probability", at+uint64(i), v)
		}
	}
	return nil
}

// isProbability is false for a NaN too.
func isProbability(v float32) bool { return v >= 0 && v <= 1 }
