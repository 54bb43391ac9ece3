package main

import (
	"context"
	"encoding/json"

	"gamebots/bots/grid"
	"gamebots/bots/grid/jobs"
	"gamebots/solvers/nash/game"
	"gamebots/solvers/nash/labels"
)

// nashKind are subtrees of a search for equilibria: the shared part is the game
// in the format .nfg, the spec a labels.Subtree and the result a labels.SubtreeResult, both
// as JSON.
const nashKind = "nash-labels"

// nashJob returns what does the jobs.
func nashJob() grid.Func {
	var games grid.Memo[*labels.Searcher]
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		s, err := games.Get(job.Shared, func(text []byte) (*labels.Searcher, error) {
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
		found, err := s.Search(ctx, subtree)
		if err != nil {
			return nil, err
		}
		return json.Marshal(found)
	}
}

// distributeNash lets a grid search the subtrees of a game.
func distributeNash(on grid.Grid, g *game.Game) labels.Distributor {
	text := g.NFG()
	return func(ctx context.Context, all []labels.Subtree, onResult func(int, labels.SubtreeResult) error) error {
		run := jobs.NewRun("nash")
		each := func(yield func(grid.Job) bool) {
			for i, subtree := range all {
				spec, err := json.Marshal(subtree)
				if err != nil {
					panic(err) // bytes and a number
				}
				if !yield(grid.Job{Run: run, Shard: i, Kind: nashKind, Spec: spec, Shared: text}) {
					return
				}
			}
		}
		return on.Run(ctx, each, func(job grid.Job, result []byte) error {
			var found labels.SubtreeResult
			if err := json.Unmarshal(result, &found); err != nil {
				return err
			}
			return onResult(job.Shard, found)
		})
	}
}
