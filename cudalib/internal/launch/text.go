package launch

import (
	"compress/gzip"
	"io"
	"io/fs"
	"sync"
	"unsafe"
)

// texts keeps the PTX that was decompressed, by family and name: solvers that open a
// device for every task would decompress it each time, for about a millisecond.
var texts sync.Map

// Text returns the PTX of a module of a family, which has it compressed as
// NAME.ptx.gz. Which modules there are is known when a program is written: another
// name is a panic. It may be called by any goroutine.
func Text(family fs.FS, name string) string {
	type module struct {
		family fs.FS
		name   string
	}
	text, ok := texts.Load(module{family, name})
	if !ok {
		text, _ = texts.LoadOrStore(module{family, name}, decompress(family, name))
	}
	return text.(string)
}

func decompress(family fs.FS, name string) string {
	packed, err := family.Open(name + ".ptx.gz")
	if err != nil {
		panic(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Words returns structs as the 32-bit words that they consist of.
func Words[T any](structs []T) []uint32 {
	var one T
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(structs))), len(structs)*int(unsafe.Sizeof(one))/4)
}
