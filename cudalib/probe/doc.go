// Package probe finds a machine's GPUs and measures their highest speed.
//
// [Survey] describes and measures them in this process. [Run] asks another process
// to, because a broken driver may take a process with it. [Measure] measures one
// device, for kernels to be compared with.
package probe
