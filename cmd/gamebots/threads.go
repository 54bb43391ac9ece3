package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"gamebots/configs"

	"github.com/spf13/pflag"
)

// addThreads adds the flag --threads, by default as many as there are processors.
func addThreads(flags *pflag.FlagSet, to *int, usage string) {
	*to = min(runtime.NumCPU(), configs.MaxThreads)
	flags.Var(threadsFlag{to, 1}, "threads", usage)
	flags.Lookup("threads").DefValue = onePerProcessor
}

// onePerProcessor is the default of threads and jobs in help texts, which are the same on every machine.
const onePerProcessor = "one per processor"

// threadsFlag is a flag for a number of threads, or of anything that takes a thread each.
// A thread costs memory even without work.
type threadsFlag struct {
	to  *int
	min int
}

var _ pflag.Value = threadsFlag{}

func (threadsFlag) Type() string     { return "int" }
func (t threadsFlag) String() string { return strconv.Itoa(*t.to) }

func (t threadsFlag) Set(text string) error {
	n, err := strconv.ParseInt(text, 0, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return err
	case n < int64(t.min) || n > configs.MaxThreads: // a number out of an int64's range comes as its maximum or minimum
		err := fmt.Errorf("not from %d to %d", t.min, configs.MaxThreads)
		if n > configs.MaxThreads {
			err = configs.HintThreads(err)
		}
		return err
	}
	*t.to = int(n)
	return nil
}
