package grid_test

import (
	"context"
	"fmt"
	"strconv"

	"gamebots/bots/grid"
)

func ExampleLocal() {
	square := func(_ context.Context, job grid.Job) ([]byte, error) {
		n, err := strconv.Atoi(string(job.Spec))
		return strconv.AppendInt(nil, int64(n*n), 10), err
	}
	jobs := func(yield func(grid.Job) bool) {
		for i := range 5 {
			if !yield(grid.Job{Run: "squares", Shard: i, Kind: "square", Spec: []byte(strconv.Itoa(i))}) {
				return
			}
		}
	}
	results := make([]string, 5)
	g := &grid.Local{Kinds: grid.Kinds{"square": square}, Threads: 2}
	err := g.Run(context.Background(), jobs, func(job grid.Job, result []byte) error {
		results[job.Shard] = string(result)
		return nil
	})
	fmt.Println(results, err)
	// Output: [0 1 4 9 16] <nil>
}
