// Package launch is shared by the packages of kernels: a [Launcher] holds the
// modules, the stream and the buffers of a solver on a device, and a [Kernel] is
// launched with a struct of its parameters. Only the packages beside it use it.
//
// Whatever makes something on a Launcher does nothing after the first failure, so
// that a constructor ends with [Finish]:
//
//	l := launch.New(device, Modules, "copy")
//	words := launch.Alloc[uint32](l, n)
//	kernel := launch.Find[copyParams](l, "copy_words4")
//	return launch.Finish(l, &Copier{l, words, kernel})
//
// A Launcher and its kernels are used by one goroutine at a time.
package launch
