package checkpoint

import (
	"encoding/binary"
	"io"
	"unsafe"
)

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
