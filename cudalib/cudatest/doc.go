// Package cudatest tests GPU code on machines without a GPU.
//
// [Load] builds a fake driver (src/fake.cpp) with a C++ compiler and loads it in
// place of NVIDIA's. Its devices run the kernels of a folder, compiled for the host,
// the CUDA threads in turns: code is tested with its kernels, from the upload
// to the result. The fake is stricter than a GPU where a mistake would only
// sometimes show on one: it does work as late as its order allows, fills memory with
// garbage, notices writes beyond the end of a buffer and barriers that not all threads
// reach, and counts the objects that are left. It can be made to fail. Each family of
// kernels is compiled by itself and kept in the user's cache, so that a change of a
// kernel costs the time of its family, once for all packages.
//
// Most tests need only [Open], which opens a fake device, or a GPU with the flag
// "-device cuda" of their program.
//
// [Races] does the launches of tests again under ThreadSanitizer, which reports
// accesses of memory that no barrier puts in order.
//
// Without a C++ compiler these tests are skipped, with a message.
package cudatest
