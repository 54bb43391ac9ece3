package strategy

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

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

func write(path string, meta Meta, n uint64, blockLen int, fill func(dst []float32, at uint64) error) (err error) {
	if !utf8.ValidString(meta.GameText) {
		return errors.New("the game's text is not UTF-8") // JSON would change it
	}
	metaAndIndex, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	h := newHeader(meta, n, blockLen)
	h.MetaSize = uint64(len(metaAndIndex))

	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()

	compressor, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false)) // the index has a checksum already
	if err != nil {
		return err
	}
	values := make([]float32, min(uint64(blockLen), n))
	var raw, stored []byte
	h.Size = h.front()
	for at := uint64(0); at < n; at += uint64(len(values)) {
		values = values[:min(uint64(len(values)), n-at)]
		if err := fill(values, at); err != nil {
			return err
		}
		raw = raw[:0]
		for i, v := range values {
			if !isProbability(v) {
				return fmt.Errorf("value %d is %v, not a probability", at+uint64(i), v)
			}
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
		stored = compressor.EncodeAll(raw, stored[:0])
		if _, err := file.WriteAt(stored, int64(h.Size)); err != nil {
			return err
		}
		h.Size += uint64(len(stored))
		metaAndIndex = entry{End: h.Size, Sum: xxh3.Hash(stored)}.append(metaAndIndex)
	}
	if _, err := file.WriteAt(h.seal(metaAndIndex), 0); err != nil {
		return err
	}
	return file.Commit()
}

// isProbability is false for a NaN too.
func isProbability(v float32) bool { return v >= 0 && v <= 1 }
