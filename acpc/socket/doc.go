// Package socket makes connections quick for two ends that take turns with
// short messages, as the poker protocol's do.
//
// A read of package net that finds nothing gives its thread back to Go's
// scheduler, which looks for other work, goes to sleep itself, and is woken
// with the message. Where an answer takes a few dozen microseconds, that costs
// as much as the answer. Eager connections wait in the system instead, for a
// few milliseconds at most, and only then do as package net does, so that an
// idle connection costs what it always does. Deadlines are kept as exactly.
//
// A wait in the system keeps one of the scheduler's processors (GOMAXPROCS) from
// other work. Eager connections are for programs that have nothing else to do
// in the meantime, so it is for the program to ask for them, not for a library;
// and one processor is always left.
//
// An eager connection is for one reader and one writer at a time, who set their
// own deadlines: a deadline holds for calls that begin after it was set. Close
// may be called from anywhere.
package socket
