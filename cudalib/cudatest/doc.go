// Package cudatest is for tests of what uses a GPU, on machines without one.
//
// [Load] builds a driver of its own (src/fake.cpp) with a C++ compiler and loads
// it in place of NVIDIA's. Its devices run the kernels of a folder, compiled for the
// host, with one thread for each thread of CUDA: a launcher is tested
// with its kernels, from the upload to the result. The fake is stricter than a
// GPU where a mistake would only sometimes show on one: it does work as late as
// its order allows, fills memory with garbage, notices writes beyond the end of
// a buffer, and counts what is left behind. It can be told to fail.
//
// [Fake.Race] does the launches of a test again under ThreadSanitizer, which
// reports accesses of memory that no barrier puts in order.
//
// A test that a machine without a C++ compiler cannot run is skipped and says
// so.
package cudatest
