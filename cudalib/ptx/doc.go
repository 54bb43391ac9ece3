// Package ptx has no code. Below it are the compiled kernels: a package for each family
// embeds FAMILY/NAME.ptx.gz, so that a program carries the kernels of the families that it
// imports, and is built without a compiler for kernels.
//
// PTX is NVIDIA's text for kernels of any GPU. "make ptx" compiles it, and "make ptx-check"
// compares it with what is committed. The kernels are compiled for compute capability 7.0,
// and so run on every GPU since Volta: its driver compiles them for it. A module for tensor
// cores is compiled for 8.0; its family has another for older GPUs.
package ptx
