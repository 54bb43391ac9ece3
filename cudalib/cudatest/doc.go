// Package cudatest tests GPU code on machines without a GPU.
//
// [Load] builds a fake driver (src/fake.cpp) with a C++ compiler and loads it in
// place of NVIDIA's. Its devices run the kernels of a folder, compiled for the host,
// with a host thread for each CUDA thread: code is tested with its kernels, from the
// upload to the result. The fake is stricter than a GPU where a mistake would only
// sometimes show on one: it does work as late as its order allows, fills memory with
// garbage, notices writes beyond the end of a buffer, and counts the objects that are
// left. It can be made to fail. Each family of kernels is compiled by itself and kept in the user's
// cache, so that a change of a kernel costs the time of its family, once for all packages.
//
// [Fake.Race] does the launches of a test again under ThreadSanitizer, which
// reports accesses of memory that no barrier puts in order.
//
// Without a C++ compiler these tests are skipped, with a message.
package cudatest
