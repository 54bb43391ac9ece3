package strategy

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"gamebots/internal/atomicfile"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// Write makes the strategy file path with n probabilities. It calls fill for
// one run of values after the other, from the first to the last: fill sets all
// of dst to the values from number at on. Little more than one block is in
// memory at a time.
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
		values := make([]float32, min(uint64(blockLen), n))
		var raw []byte
		for at := uint64(0); at < n; at += uint64(len(values)) {
			values = values[:min(uint64(len(values)), n-at)]
			if err := fill(values, at); err != nil {
				return err
			}
			if err := check(values, at); err != nil {
				return err
			}
			raw = raw[:0]
			for _, v := range values {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
			}
			if err := b.add(raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteRounded is Write with probabilities of meta.Bits bits, 1 to 8. The file is several
// times smaller. It leaves out those of the last actions of the information sets, whose
// probabilities must add up to 1. What fill gets are whole information sets.
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
		var raw []byte
		for _, s := range sets {
			set := make([]float32, s.Actions)
			for range s.Count {
				if err := fill(set, at); err != nil {
					return err
				}
				if err := check(set, at); err != nil {
					return err
				}
				sum := 0.0
				for _, v := range set {
					sum += float64(v)
				}
				if math.Abs(sum-1) > 1e-3 {
					return fmt.Errorf("values %d to %d add up to %v, not to 1", at, at+uint64(len(set))-1, sum)
				}
				raw = round(raw[:0], set, meta.steps())
				if err := b.add(raw); err != nil {
					return err
				}
				at += uint64(len(set))
			}
		}
		return nil
	})
}

// writeBlocks writes a file with some metadata and the blocks that fill adds.
func writeBlocks(path string, h header, meta []byte, level zstd.EncoderLevel, fill func(b *blocks) error) (err error) {
	compressor, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1),
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
	b := &blocks{header: h, index: meta, out: file, compressor: compressor}
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

// blocks writes the blocks of a file one after the other.
type blocks struct {
	header
	index      []byte // with the metadata before it
	out        io.WriterAt
	compressor *zstd.Encoder
	raw        []byte // values of the next block
	stored     []byte
}

// add adds values, as bytes.
func (b *blocks) add(raw []byte) error {
	for len(raw) > 0 {
		n := min(len(raw), int(b.BlockLen)*b.valueSize()-len(b.raw))
		b.raw, raw = append(b.raw, raw[:n]...), raw[n:]
		if len(b.raw) == int(b.BlockLen)*b.valueSize() {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the values that were added since the last block, if any.
func (b *blocks) flush() error {
	if len(b.raw) == 0 {
		return nil
	}
	b.stored = b.compressor.EncodeAll(b.raw, b.stored[:0])
	if _, err := b.out.WriteAt(b.stored, int64(b.Size)); err != nil {
		return err
	}
	b.Size += uint64(len(b.stored))
	b.index = entry{End: b.Size, Sum: xxh3.Hash(b.stored)}.append(b.index)
	b.raw = b.raw[:0]
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
