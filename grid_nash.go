package main

import (
	"context"
	"encoding/json"

	"gamebots/bots/grid"
	"gamebots/solvers/nash"
)

// nashKind are subtrees of a search for equilibria: the shared part is the game
// in the format .nfg, the spec a nash.Subtree and the result a nash.Finding, both
// as JSON.
const nashKind = "nash-labels"

// nashJob returns what does the jobs.
func nashJob() grid.Func {
	var games grid.Memo[*nash.Searcher]
	return func(ctx context.Context, job grid.Job) ([]byte, error) {
		s, err := games.Get(job.Shared, func(text []byte) (*nash.Searcher, error) {
			game, err := nash.Read(job.Run, text)
			if err != nil {
				return nil, err
			}
			return nash.NewSearcher(game)
		})
		if err != nil {
			return nil, err
		}
		var subtree nash.Subtree
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

// spreadNash lets a grid search the subtrees of a game.
func spreadNash(g grid.Grid, game *nash.Game) nash.Spread {
	text := game.NFG()
	return func(ctx context.Context, all []nash.Subtree, take func(int, nash.Finding) error) error {
		run := newRun("nash")
		jobs := func(yield func(grid.Job) bool) {
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
		return g.Run(ctx, jobs, func(job grid.Job, result []byte) error {
			var found nash.Finding
			if err := json.Unmarshal(result, &found); err != nil {
				return err
			}
			return take(job.Shard, found)
		})
	}
}
