package checkpoint

import (
	"encoding/binary"
	"io"
	"math"
)

// chunk is the number of items that are converted at once.
const chunk = 1 << 12

// WriteSlice writes fixed-size numbers of a State in little endian.
func WriteSlice[T any](w io.Writer, items []T) error {
	var buffer []byte
	for len(items) > 0 {
		n := min(chunk, len(items))
		var err error
		if buffer, err = binary.Append(buffer[:0], binary.LittleEndian, items[:n]); err != nil {
			return err
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// ReadSlice fills items with the same number of items that WriteSlice wrote.
func ReadSlice[T any](r io.Reader, items []T) error {
	if bytes, ok := any(items).([]uint8); ok { // without a copy
		_, err := io.ReadFull(r, bytes)
		return err
	}
	var zero T
	buffer := make([]byte, chunk*binary.Size(zero))
	for len(items) > 0 {
		n := min(chunk, len(items))
		from := buffer[:n*binary.Size(zero)]
		if _, err := io.ReadFull(r, from); err != nil {
			return err
		}
		switch to := any(items[:n]).(type) {
		case []int32: // millions of them; Decode makes a call for each
			for i := range to {
				to[i] = int32(binary.LittleEndian.Uint32(from[4*i:]))
			}
		case []float32:
			for i := range to {
				to[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
			}
		default:
			if _, err := binary.Decode(from, binary.LittleEndian, to); err != nil {
				return err
			}
		}
		items = items[n:]
	}
	return nil
}
