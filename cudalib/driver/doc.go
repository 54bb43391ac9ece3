// Package driver uses NVIDIA GPUs through their driver alone: it loads
// libcuda.so.1, or nvcuda.dll on Windows, at run time and calls it without cgo. It
// needs no CUDA toolkit, neither to build nor to run. A program that is built with the
// tag nogpu, or for another system than Linux on amd64 and arm64 and Windows on amd64,
// has the same API, and [Open] returns an error.
//
// # Objects
//
// [Open] loads the driver, a [Library]. It describes the GPUs and opens one as
// a [Device], on which everything else lives: a [Buffer] in its memory, a
// [Pinned] array in the host's memory, a [Stream] of work, an [Event] in a
// stream, a [Module] of kernels, a [Kernel], and a [Graph] of captured work.
// Each is closed by its maker. [Device.Close] frees the rest and returns an error that
// names it.
//
// # Threads
//
// CUDA calls depend on the system thread that makes them. Therefore each device has
// one goroutine, its owner, that keeps its thread and makes all calls for the device;
// calls from others are handed over to it. Only [Stream.Sync] and
// [Event.Sync] wait on the thread of their caller, so that others can go on using
// the device meanwhile. Any goroutine may call anything, but where there are many
// calls in a row they belong into [Device.Do], which hands over once:
//
//	err := device.Do(func() error {
//		for range 1000 {
//			if err := graph.Launch(stream); err != nil {
//				return err
//			}
//		}
//		return stream.Sync()
//	})
//
// # Order
//
// Work on one stream is done in its order. Upload, Download and Sync wait for
// it; everything else only puts work on a stream and returns. Streams do not
// wait for each other, nor for a default stream, except through events.
//
// # Errors
//
// An [*Error] names the call and has CUDA's name and explanation of it; its
// method Hint returns advice for the user. With errors.Is an error is one of
// [ErrUnavailable] (work may go to the CPU instead), [ErrOutOfMemory] (nothing
// has changed), [ErrFault] (all that was on the device is lost) and
// [ErrClosed]. Errors of kernels come late, from the call that waits for them
// or from any after it.
//
// The calls follow NVIDIA's "CUDA Driver API" reference.
package driver
