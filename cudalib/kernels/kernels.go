// Package kernels is the source of what runs on GPUs, in CUDA C++ that needs
// none of NVIDIA's headers.
//
// Each file NAME.cu is compiled to gamebots/cudalib/ptx by "make ptx". The
// same file, with the headers *.cuh, also compiles as C++ for the host, where
// cuda.cuh gives it host threads in place of CUDA's: gamebots/cudalib/cudatest
// does so in tests.
package kernels

import "embed"

// Sources are the files *.cu and *.cuh, for tests that compile them.
//
//go:embed *.cu *.cuh
var Sources embed.FS
