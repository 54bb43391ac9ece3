// Package socket lowers the latency of connections on which two ends take turns with
// short messages, as in the poker protocol.
//
// When a read of package net finds no data, the goroutine is parked, the thread looks for
// other work and goes to sleep, and both are woken by the message. That takes as long as
// an answer that takes some tens of microseconds. An eager connection blocks in the system
// call instead, for a few milliseconds at most, and then falls back to package net, so
// that an idle connection costs no more than usual. Deadlines are as exact as those of
// package net.
//
// A blocking system call holds one of the scheduler's processors (GOMAXPROCS). Eager
// connections are for programs that have nothing else to do in the meantime, so main
// programs choose them, not libraries; one processor is always left free.
//
// An eager connection is for one reader and one writer at a time. A deadline holds for
// calls that begin after it was set. Close may be called from any goroutine.
package socket
