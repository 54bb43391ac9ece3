package grid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// DefaultTries is how often a job is tried before it is given up.
const DefaultTries = 3

// Letter is a job that was given up.
type Letter struct {
	Job   Job
	Tries int   // how often it was tried
	Err   error // the last time
}

// Dead is the error of a run some of whose jobs were given up, by shard. All
// others are done.
type Dead struct {
	Letters []Letter
}

// listed is how many jobs the text of a Dead names.
const listed = 3

func (d *Dead) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d jobs were given up", len(d.Letters))
	if len(d.Letters) == 1 {
		text.Reset()
		text.WriteString("a job was given up")
	}
	for i, l := range d.Letters {
		if i == listed {
			fmt.Fprintf(&text, "; and %d others", len(d.Letters)-listed)
			break
		}
		first, _, _ := strings.Cut(l.Err.Error(), "\n") // a panic comes with its stack
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&text, "%s%v after %d tries: %s", sep, l.Job, l.Tries, first)
	}
	return text.String()
}

// Unwrap returns the last error of each job.
func (d *Dead) Unwrap() []error {
	all := make([]error, len(d.Letters))
	for i, l := range d.Letters {
		all[i] = l.Err
	}
	return all
}

// Hint says what can be done.
func (d *Dead) Hint() string {
	return "all other jobs are done; the same command tries what is missing again"
}

// Err returns the dead as an error, nil if there are none.
func (d *Dead) Err() error {
	if len(d.Letters) == 0 {
		return nil
	}
	slices.SortFunc(d.Letters, func(a, b Letter) int { return cmp.Compare(a.Job.Shard, b.Job.Shard) })
	return d
}
