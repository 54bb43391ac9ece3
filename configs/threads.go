package configs

import (
	"fmt"
	"runtime"

	"gamebots/internal/usererr"
)

// MaxThreads is the largest number of threads that a flag or a setting may ask for: more
// than machines have processors, and few enough for the memory of each.
const MaxThreads = 1024

// tooManyThreads returns the error of a setting with more threads than MaxThreads.
func tooManyThreads(key string, n uint64) *Error {
	return &Error{Key: key, Msg: fmt.Sprintf("%d is more than %d", n, MaxThreads)}
}

// HintThreads adds advice to an error about too many threads.
func HintThreads(err error) error {
	return usererr.WithHint(err,
		fmt.Sprintf("this machine has %d processors, and more threads than those are seldom faster", runtime.NumCPU()))
}
