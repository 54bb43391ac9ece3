// Package cudalib runs kernels on GPUs for solvers: a launcher for each family
// of kernels, with Go's types on one side and flat arrays on the other.
//
// A [Choice] is what users say with --device; its Open returns a [Device], or
// none where the work is for the CPU. A launcher is made on a device, given its
// arrays, run and closed; it knows no more of a game than its kernels must.
// Each has a twin that does the same on the CPU, to the same bits: [Sum] that
// of [Summation], and solvers have those of their own, as of [CFR].
//
// [Measure] finds out what a device can do at best. [Probe] asks another
// process to, because a broken driver may take a process with it.
//
// # A new kernel
//
// 1. Write kernels/NAME.cu with what kernels/cuda.cuh offers and nothing else:
// parameters are pointers, u32, u64 and float. Sums have an order that does not
// depend on the grid, so that a twin on the CPU can have it too. Run "make ptx",
// and commit ptx/NAME.ptx with the source.
//
// 2. Write its launcher here, NAME.go, on top of newLauncher(d, "NAME"): it
// allocates in one place, launches inside of [driver.Device.Do], and captures
// a graph where the same launches come again and again.
//
// 3. Test it in NAME_test.go against its twin, with openDevice for the device.
// The test runs the kernels on the host, with a thread for each of CUDA's and
// then under ThreadSanitizer, and the same test runs on a GPU, see
// "make gpu-test". What it measures goes into "gamebots bench".
package cudalib
