package jobs

import (
	"context"
	"encoding/json"

	"gamebots/bots/grid"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/labels"
)

// NashKind is the kind of jobs that search subtrees for equilibria, done by [NashJob].
// The shared part is the game in the format .nfg, the spec a [labels.Subtree] and the
// result a [labels.SubtreeResult], both as JSON.
const NashKind = "nash-labels"

// NashJob returns a function that searches subtrees. It keeps the games of the latest
// runs.
func NashJob() grid.Func {
	var searchers grid.Memo[*labels.Searcher]
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		s, err := searchers.Get(job.Shared, func(text []byte) (*labels.Searcher, error) {
			g, err := game.Read(job.Run, text)
			if err != nil {
				return nil, err
			}
			return labels.NewSearcher(g)
		})
		if err != nil {
			return nil, err
		}
		var subtree labels.Subtree
		if err := json.Unmarshal(job.Spec, &subtree); err != nil {
			return nil, err
		}
		result, err := s.Search(ctx, subtree)
		if err != nil {
			return nil, err
		}
		return json.Marshal(result)
	}
}

// DistributeNash returns a distributor that has the subtrees of a game searched on a
// grid.
func DistributeNash(on grid.Grid, g *game.Game) labels.Distributor {
	text := g.NFG()
	return func(ctx context.Context, subtrees []labels.Subtree, onResult func(int, labels.SubtreeResult) error) error {
		run := NewRun("nash")
		jobs := func(yield func(grid.Job) bool) {
			for i, subtree := range subtrees {
				job := grid.Job{Run: run, Shard: i, Total: len(subtrees), Kind: NashKind, Shared: text}
				job.Spec = mustMarshal(subtree)
				if !yield(job) {
					return
				}
			}
		}
		return on.Run(ctx, jobs, func(job grid.Job, result []byte) error {
			var r labels.SubtreeResult
			if err := json.Unmarshal(result, &r); err != nil {
				return err
			}
			return onResult(job.Shard, r)
		})
	}
}
