package configs

import (
	"fmt"
	"runtime"

	"gamebots/internal/usererr"
)

// MaxThreads is how many threads anybody may ask for, by a flag or a setting: more
// than machines have processors, and few enough for what each takes of memory.
const MaxThreads = 1024

// tooManyThreads is what is wrong with a number of threads beyond it.
func tooManyThreads(key string, n uint64) *Error {
	return &Error{Key: key, Msg: fmt.Sprintf("%d is more than %d", n, MaxThreads)}
}

// HintThreads adds advice to an error about too many threads.
func HintThreads(err error) error {
	return usererr.WithHint(err, fmt.Sprintf("this machine has %d processors, and more threads than those are seldom faster", runtime.NumCPU()))
}
