// Package ptx holds the kernels in PTX, NVIDIA's text for kernels of any GPU.
//
// The files are made from gamebots/cudalib/kernels by "make ptx" and committed,
// so that a program is built without a compiler for them. They are for compute
// capability 7.0, and so for every GPU since Volta: a newer one's driver
// compiles them for it.
package ptx

import "embed"

//go:embed *.ptx
var files embed.FS

// Module returns the kernels of the file kernels/NAME.cu. Which there are is
// known when a program is written: another name is a panic.
func Module(name string) string {
	text, err := files.ReadFile(name + ".ptx")
	if err != nil {
		panic(err)
	}
	return string(text)
}
