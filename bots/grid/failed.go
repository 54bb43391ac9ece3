package grid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// DefaultTries is how often a job is tried before it is given up.
const DefaultTries = 3

// FailedJob is a job that was given up.
type FailedJob struct {
	Job   Job
	Tries int   // how often it was tried
	Err   error // the last time
}

// FailedJobsError is the error of a run some of whose jobs were given up, by shard. All
// others are done.
type FailedJobsError struct {
	Jobs []FailedJob
}

// listed is how many jobs the text of a Dead names.
const listed = 3

func (d *FailedJobsError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d jobs were given up", len(d.Jobs))
	if len(d.Jobs) == 1 {
		text.Reset()
		text.WriteString("a job was given up")
	}
	for i, l := range d.Jobs {
		if i == listed {
			fmt.Fprintf(&text, "; and %d others", len(d.Jobs)-listed)
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
func (d *FailedJobsError) Unwrap() []error {
	all := make([]error, len(d.Jobs))
	for i, l := range d.Jobs {
		all[i] = l.Err
	}
	return all
}

// Hint says what can be done.
func (d *FailedJobsError) Hint() string {
	return "all other jobs are done; the same command tries what is missing again"
}

// Err returns the dead as an error, nil if there are none.
func (d *FailedJobsError) Err() error {
	if len(d.Jobs) == 0 {
		return nil
	}
	slices.SortFunc(d.Jobs, func(a, b FailedJob) int { return cmp.Compare(a.Job.Shard, b.Job.Shard) })
	return d
}
