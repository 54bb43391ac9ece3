// Package kernels holds what the GPU kernels of all families share: CUDA C++ that needs none of
// NVIDIA's headers. cuda.cuh and host.cuh are for all, and poker.cuh and ends.cuh for some
// families of poker.
//
// Each family is a package beside this one, such as cudalib/nimgpu, with its sources NAME.cu,
// their compressed PTX and their launcher. PTX is NVIDIA's text for kernels of any GPU;
// a program carries that of the families that it imports, and is built without a compiler for
// kernels. "make ptx" compiles it, and "make ptx-check" compares it with what is committed. The
// kernels are compiled for compute capability 7.0, and so run on every GPU since Volta: its driver
// compiles them for it. A module for tensor cores is compiled for 8.0; its family has another for
// older GPUs.
//
// The same sources also compile as C++ for the host, where host.cuh runs the CUDA threads in
// turns: the tests of gamebots/cudalib/cudatest do that.
//
// A source names the compiler flags that it needs beside those of the Makefile in
// a line "// PTXFLAGS: ...". Kernels that keep arrays in registers ask for inlining
// without a limit, because an array that is passed to a function is in memory.
package kernels

import "embed"

// Headers are those that families share, for tests that compile kernels.
//
//go:embed *.cuh
var Headers embed.FS
