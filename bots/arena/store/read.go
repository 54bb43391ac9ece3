package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"gamebots/bots/arena"
)

const selectRuns = `SELECT run, plan, version, created, coalesce(ended, 0),
	(SELECT count(*) FROM shards s WHERE s.run = r.run) FROM runs r`

// Runs returns all runs, the oldest first.
func (s *Store) Runs(ctx context.Context) ([]*arena.Run, error) {
	return s.runs(ctx, selectRuns+" ORDER BY run")
}

// Run returns the run of a name; "" is the latest.
func (s *Store) Run(ctx context.Context, name string) (*arena.Run, error) {
	runs, err := s.runs(ctx, selectRuns+" WHERE name = ?1 OR ?1 = '' ORDER BY run DESC LIMIT 1", name)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		missing := &MissingError{Path: s.path, Name: name}
		all, err := s.Runs(ctx)
		for _, r := range all {
			missing.Runs = append(missing.Runs, r.Plan.Name)
		}
		return nil, errors.Join(missing, err)
	}
	return runs[0], nil
}

// Refresh reads the current state of a run.
func (s *Store) Refresh(ctx context.Context, r *arena.Run) error {
	now, err := s.Run(ctx, r.Plan.Name)
	if err == nil {
		*r = *now
	}
	return err
}

func (s *Store) runs(ctx context.Context, query string, args ...any) (runs []*arena.Run, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		r := &arena.Run{Plan: &arena.Plan{}, Stops: map[int]arena.Stop{}}
		var text []byte
		var created, ended int64
		if err := rows.Scan(&r.ID, &text, &r.Version, &created, &ended, &r.Stored); err != nil {
			return err
		}
		if err := json.Unmarshal(text, r.Plan); err != nil {
			return fmt.Errorf("run %d: its plan: %w", r.ID, err)
		}
		r.Created = time.UnixMilli(created)
		if ended > 0 {
			r.Ended = time.UnixMilli(ended)
		}
		runs = append(runs, r)
		return nil
	}, query, args...)
	for _, r := range runs {
		if err != nil {
			break
		}
		err = s.each(ctx, func(rows *sql.Rows) error {
			var table int
			var stop arena.Stop
			err := rows.Scan(&table, &stop.Parts, &stop.Decided)
			r.Stops[table] = stop
			return err
		}, "SELECT tbl, parts, decided FROM stops WHERE run = ?", r.ID)
	}
	return runs, err
}

// each calls scan with every row of a query.
func (s *Store) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return s.err(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.err(err)
		}
	}
	return s.err(rows.Err())
}

// FailedShards returns the shards of a run that are noted as failed.
func (s *Store) FailedShards(ctx context.Context, r *arena.Run) (all []arena.FailedShard, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		var t arena.FailedShard
		var at int64
		err := rows.Scan(&t.Shard, &t.Tries, &t.Error, &at)
		t.At = time.UnixMilli(at)
		all = append(all, t)
		return err
	}, "SELECT shard, tries, error, at FROM troubles WHERE run = ? ORDER BY shard", r.ID)
	return all, err
}

// Tallies returns the stored results of a run without the games, in the order in which they were stored.
func (s *Store) Tallies(ctx context.Context, r *arena.Run) (all []arena.ShardResult, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		var number int
		var tally []byte
		if err := rows.Scan(&number, &tally); err != nil {
			return err
		}
		x := arena.ShardResult{Shard: r.Plan.At(number)}
		if err := json.Unmarshal(tally, &x.Tally); err != nil {
			return fmt.Errorf("run %s, shard %d: its tally: %w", r.Plan.Name, number, err)
		}
		all = append(all, x)
		return nil
	}, "SELECT shard, tally FROM shards WHERE run = ? ORDER BY seq", r.ID)
	return all, err
}

// Results returns the stored results of a run with their games, by shard. It verifies their checksums.
func (s *Store) Results(ctx context.Context, r *arena.Run) iter.Seq2[*arena.ShardResult, error] {
	return func(yield func(*arena.ShardResult, error) bool) {
		rows, err := s.db.QueryContext(ctx,
			"SELECT shard, tally, games, checksum FROM shards WHERE run = ? ORDER BY shard", r.ID)
		if err != nil {
			yield(nil, s.err(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			x, err := s.scan(rows, r)
			if !yield(x, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, s.err(err))
		}
	}
}

func (s *Store) scan(rows *sql.Rows, r *arena.Run) (*arena.ShardResult, error) {
	x := &arena.ShardResult{}
	var number int
	var tally []byte
	var sum int64
	if err := rows.Scan(&number, &tally, &x.Packed, &sum); err != nil {
		return nil, s.err(err)
	}
	if checksum(tally, x.Packed) != sum {
		return nil, &Error{
			s.path, fmt.Errorf("run %s, shard %d: the result is not what was stored", r.Plan.Name, number),
			"the file is damaged; the other shards can be read",
		}
	}
	if err := json.Unmarshal(tally, &x.Tally); err != nil {
		return nil, s.err(err)
	}
	x.Shard = r.Plan.At(number)
	return x, nil
}

// Hands returns all stored hands of a poker run, by shard, order and deal, each played
// again from its cards. A hand is valid until the next.
func (s *Store) Hands(ctx context.Context, r *arena.Run) iter.Seq2[*arena.Hand, error] {
	return func(yield func(*arena.Hand, error) bool) {
		game, err := r.Plan.Acpc()
		if err != nil {
			yield(nil, err)
			return
		}
		for x, err := range s.Results(ctx, r) {
			if err != nil {
				yield(nil, err)
				return
			}
			for hand, err := range arena.Hands(r.Plan, game, x.Shard, x.Packed) {
				if !yield(hand, err) || err != nil {
					return
				}
			}
		}
	}
}

// BoardGames returns all stored games of a run of a board game, by shard.
func (s *Store) BoardGames(ctx context.Context, r *arena.Run) iter.Seq2[*arena.TableGame, error] {
	return func(yield func(*arena.TableGame, error) bool) {
		for x, err := range s.Results(ctx, r) {
			var games []arena.GameRecord
			if err == nil {
				games, err = arena.BoardGames(r.Plan, x.Shard, x.Packed)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, game := range games {
				if !yield(&arena.TableGame{Table: x.Table, GameRecord: game}, nil) {
					return
				}
			}
		}
	}
}
