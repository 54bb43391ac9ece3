// Package cudalib opens the device that work runs on. The GPU code of the solvers
// is in the packages below it.
//
// A [Choice] says where work runs: on the CPU, on one GPU or on all of them. Its Open
// returns a [Device], or none where the work is for the CPU:
//
//	driver       the binding of NVIDIA's driver: memory, streams, kernels
//	launch       a launcher, which the packages of kernels share
//	cfrgpu       vector-form CFR            mccfrgpu     Monte-Carlo CFR
//	pcsgpu       public chance sampling     cfrbrgpu     CFR-BR
//	brgpu        best responses             kmeansgpu    k-means
//	spotgpu      spots of no-limit hold'em
//	hexnetgpu    networks                   nashgpu      Nash equilibria
//	nimgpu       Nim                        snakegpu     snakes in hypercubes
//	havannahgpu  playouts of Havannah, and searches by networks
//	probe        the GPUs of a machine, and their highest speed
//	segmentgpu   the layout of betting rounds that several families read
//	kernels      what the kernels of several families share
//	cudatest     a fake driver that runs kernels on the host
//
// A package of kernels has their sources in CUDA C++, their compressed PTX and their launcher,
// with Go types on one side and flat arrays on the other. It is given its arrays, runs kernels
// and is closed; it knows no more of a game than its kernels must. Each has a CPU reference
// implementation in a solver, with the same results, to the bit or within a stated bound. A
// package carries the PTX of its own kernels only.
//
// # A new kernel
//
// 1. Write FAMILYgpu/NAME.cu with what kernels/cuda.cuh offers and nothing else:
// parameters are pointers, u32, u64 and float. Sums have an order that does not
// depend on the grid, so that the CPU reference implementation can have it too. Run
// "make ptx", and commit NAME.ptx.gz with the source.
//
// 2. Write the Go side in the package FAMILYgpu, on top of [launch.New]: allocate in
// one place, give each kernel a struct of parameters for [launch.Find], launch inside
// of [driver.Device.Do], and capture a graph where the same launches come again and
// again. [kmeansgpu.Search] is the smallest example.
//
// 3. Test it against the CPU reference implementation, with cudatest.Open for the
// device. The test runs the kernels on the host. Add it to the package's TestRaces,
// which does so again under ThreadSanitizer. The same test runs on a GPU, see
// "make gpu-test". Add a benchmark to "gamebench".
package cudalib
