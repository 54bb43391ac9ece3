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
	text := "a job was given up"
	if len(e.Jobs) > 1 {
		text = fmt.Sprintf("%d jobs were given up", len(e.Jobs))
	}
	var list []string
	for _, j := range e.Jobs[:min(len(e.Jobs), maxListed)] {
		first, _, _ := strings.Cut(j.Err.Error(), "\n") // without the stack of a panic
		list = append(list, fmt.Sprintf("%v after %s: %s", j.Job, usererr.Counted(j.Tries, "try", "tries"), first))
	}
	if others := len(e.Jobs) - maxListed; others > 0 {
		list = append(list, fmt.Sprintf("and %d others", others))
	}
	return text + ": " + strings.Join(list, "; ")
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
