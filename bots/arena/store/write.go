package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gamebots/bots/arena"

	"github.com/zeebo/xxh3"
)

// Begin begins a run, or with resume continues the run of the same name and plan. The
// version is that of the program.
func (s *Store) Begin(ctx context.Context, p *arena.Plan, version string, resume bool) (*arena.Run, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	r, err := s.Run(ctx, p.Name)
	if missing := (*MissingError)(nil); errors.As(err, &missing) {
		_, err := s.db.ExecContext(ctx, "INSERT INTO runs (name, plan, version, created) VALUES (?, ?, ?, ?)", p.Name,
			string(text), version, time.Now().UnixMilli())
		if err != nil {
			return nil, s.err(err)
		}
		return s.Run(ctx, p.Name)
	}
	if err != nil {
		return nil, err
	}
	was, err := json.Marshal(r.Plan)
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(was, text):
		as, err := ", as by", fmt.Errorf("run %s %w: %s", p.Name, ErrPlanMismatch, difference("", was, text))
		e := &Error{s.path, err, "give the run another name, or the settings and strategy files that it was begun with"}
		for i, old := range r.Plan.Players {
			if i < len(p.Players) && old.Purify != p.Players[i].Purify {
				e.hint, as = fmt.Sprintf("%s%s --set 'player[%d].purify=%t'", e.hint, as, i+1, old.Purify), ""
			}
		}
		return nil, e
	case !resume:
		return nil, &Error{Path: s.path, Err: fmt.Errorf("run %s %w", p.Name, ErrRunExists)}
	}
	return r, nil
}

// settingOf names what sets a key of a plan, if not a setting of the same name.
var settingOf = map[string]string{
	"units": "number of deals or openings", "text": "game definition", "shard": "size of a shard",
	"deals": "poker", "openings": "board", "players": "player", "prints": "checksum of the file of player",
}

// difference describes the first value in which two plans, or parts of them at a path, differ.
func difference(path string, was, is json.RawMessage) string {
	var keys, others map[string]json.RawMessage
	if json.Unmarshal(was, &keys) == nil && json.Unmarshal(is, &others) == nil {
		all := map[string]json.RawMessage{}
		maps.Copy(all, keys)
		maps.Copy(all, others)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !bytes.Equal(keys[key], others[key]) {
				return difference(path+"."+cmp.Or(settingOf[key], strings.ToLower(key)), keys[key], others[key])
			}
		}
	}
	var items, otherItems []json.RawMessage
	if json.Unmarshal(was, &items) == nil && json.Unmarshal(is, &otherItems) == nil && len(items) == len(otherItems) {
		for i := range items {
			if !bytes.Equal(items[i], otherItems[i]) {
				return difference(fmt.Sprintf("%s[%d]", path, i+1), items[i], otherItems[i])
			}
		}
	}
	return fmt.Sprintf("its %s is %.200s, not %.200s", strings.TrimPrefix(path, "."), was, is)
}

// Put stores the result of a shard, whole or not at all, and reports whether it was new.
// It does not replace a stored result, and does not store one after the stop of its table.
func (s *Store) Put(ctx context.Context, r *arena.Run, shard int, result *arena.Result) (fresh bool, err error) {
	tally, err := json.Marshal(&result.Tally)
	if err != nil {
		return false, err
	}
	at := r.Plan.At(shard)
	done, err := s.db.ExecContext(ctx, `INSERT INTO shards (run, shard, tally, games, checksum, stored)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM stops WHERE run = ?1 AND tbl = ?7 AND parts <= ?8)
		ON CONFLICT DO NOTHING`,
		r.ID, shard, string(tally), result.Games, checksum(tally, result.Games), time.Now().UnixMilli(), at.Table,
		at.Part)
	if err != nil {
		return false, s.err(err)
	}
	rows, err := done.RowsAffected()
	return rows > 0, s.err(err)
}

// checksum guards a result against damage on disk.
func checksum(tally, games []byte) int64 { return int64(xxh3.Hash(tally) ^ xxh3.Hash(games)<<1) }

// Stop notes the early end of a table, and removes the table's later results.
func (s *Store) Stop(ctx context.Context, r *arena.Run, table int, stop arena.Stop) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.err(err)
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx,
		"INSERT INTO stops (run, tbl, parts, decided) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", r.ID, table,
		stop.Parts, stop.Decided)
	if err == nil {
		tables := len(r.Plan.Tables)
		_, err = tx.ExecContext(ctx, "DELETE FROM shards WHERE run = ? AND shard % ? = ? AND shard / ? >= ?", r.ID,
			tables, table, tables, stop.Parts)
	}
	if err == nil {
		err = tx.Commit()
	}
	return s.err(err)
}

// NoteFailed notes a shard that failed on every try, with the last error.
func (s *Store) NoteFailed(ctx context.Context, r *arena.Run, shard, tries int, cause error) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO troubles (run, shard, tries, error, at) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET tries = ?3, error = ?4, at = ?5`,
		r.ID, shard, tries, cause.Error(), time.Now().UnixMilli())
	return s.err(err)
}

// ClearFailed removes the note that a shard failed.
func (s *Store) ClearFailed(ctx context.Context, r *arena.Run, shard int) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM troubles WHERE run = ? AND shard = ?", r.ID, shard)
	return s.err(err)
}

// End notes that a run is complete.
func (s *Store) End(ctx context.Context, r *arena.Run) error {
	_, err := s.db.ExecContext(ctx, "UPDATE runs SET ended = ? WHERE run = ? AND ended IS NULL",
		time.Now().UnixMilli(), r.ID)
	return s.err(err)
}
