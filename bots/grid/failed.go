package grid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gamebots/internal/usererr"
)

// DefaultTries is how often a job is tried before it is given up.
const DefaultTries = 3

// FailedJob is a job that failed on every try.
type FailedJob struct {
	Job   Job
	Tries int
	Err   error // error of the last try
}

// FailedJobsError lists the jobs of a run that failed after all tries, ordered by
// shard. All other jobs are done, which helps only those who keep their results: most runs begin anew.
type FailedJobsError struct {
	Jobs []FailedJob
}

// maxListed is how many jobs the text of a FailedJobsError names.
const maxListed = 3

func (e *FailedJobsError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d jobs were given up", len(e.Jobs))
	if len(e.Jobs) == 1 {
		text.Reset()
		text.WriteString("a job was given up")
	}
	for i, j := range e.Jobs {
		if i == maxListed {
			fmt.Fprintf(&text, "; and %d others", len(e.Jobs)-maxListed)
			break
		}
		first, _, _ := strings.Cut(j.Err.Error(), "\n") // without the stack of a panic
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&text, "%s%v after %s: %s", sep, j.Job, usererr.Counted(j.Tries, "try", "tries"), first)
	}
	return text.String()
}

// Unwrap returns the last error of each job.
func (e *FailedJobsError) Unwrap() []error {
	all := make([]error, len(e.Jobs))
	for i, j := range e.Jobs {
		all[i] = j.Err
	}
	return all
}

// Err returns e, or nil if no job has failed. It sorts the jobs.
func (e *FailedJobsError) Err() error {
	if len(e.Jobs) == 0 {
		return nil
	}
	slices.SortFunc(e.Jobs, func(a, b FailedJob) int { return cmp.Compare(a.Job.Shard, b.Job.Shard) })
	return e
}
