// Package parallel runs independent tasks on several goroutines.
//
// [For] shares out n tasks by a counter, so that a goroutine that is done takes
// the next one. [Try] is For with errors, and [Each] calls a function once on
// every goroutine. All of them return when every call has returned, and the
// calling goroutine is the first worker: with one thread nothing is started. Tasks
// that write to places of their own give the same results for any number of
// threads. A [Barrier] lets the goroutines of Each wait for each other, and [Tasks]
// shares out tasks among them again and again. [Await] stops waiting for work when a
// context ends. An [Ahead] makes the next values of a sequence while one is used.
// A [Guarded] value is kept behind a lock. [Signal] and [Every] are for loops in the background.
package parallel
