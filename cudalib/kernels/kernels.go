// Package kernels holds the sources of the GPU kernels: CUDA C++ that needs none
// of NVIDIA's headers. Each family of kernels has a folder; cuda.cuh and host.cuh
// are shared by all, and poker.cuh by pcs and cfrbr.
//
// "make ptx" compiles FAMILY/NAME.cu to gamebots/cudalib/ptx/FAMILY. The same file
// also compiles as C++ for the host, where host.cuh runs the CUDA threads in turns:
// the tests of gamebots/cudalib/cudatest do that.
//
// A source names the compiler flags that it needs beside those of the Makefile in
// a line "// PTXFLAGS: ...". Kernels that keep arrays in registers ask for inlining
// without a limit, because an array that is passed to a function is in memory.
package kernels

import "embed"

// Sources are the files *.cu and *.cuh, for tests that compile them.
//
//go:embed *.cuh */*.cu */*.cuh
var Sources embed.FS
