package jobs_test

import (
	"context"
	"fmt"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
)

// A worker of one's own registers the kinds of jobs that it can do.
func ExampleKinds() {
	kinds := jobs.Kinds()
	result, err := kinds.Do(context.Background(), grid.Job{
		Run: "test", Seed: 7, Kind: jobs.WaitKind, Spec: []byte("1ms"),
	})
	fmt.Println(string(result), err)
	// Output: 7 <nil>
}
