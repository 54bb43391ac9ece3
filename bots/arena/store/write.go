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

	"gamebots/bots/arena/plan"

	"github.com/zeebo/xxh3"
)

// Begin begins a run, or with resume continues the run of the same name and plan. The
// version is that of the program.
func (s *Store) Begin(ctx context.Context, p *plan.Plan, version string, resume bool) (*plan.Run, error) {
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
		return nil, &Error{
			Path: s.path, Err: fmt.Errorf("run %s %w: %s", p.Name, ErrPlanMismatch, difference(was, text)),
		}
	case !resume:
		return nil, &Error{Path: s.path, Err: fmt.Errorf("run %s %w", p.Name, ErrRunExists)}
	}
	return r, nil
}

// settingOf names what sets a key of a plan, if not a setting of the same name.
var settingOf = map[string]string{
	"units": "number of deals or openings", "text": "game definition", "shard": "size of a shard",
}

// difference describes the first key in which two plans differ.
func difference(was, is []byte) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil {
		return "the plan differs"
	}
	for _, key := range []string{"kind", "game", "text", "options", "seed", "units", "shard", "orders", "tables",
		"players", "prints", "deals", "openings", "stop"} {
		if bytes.Equal(a[key], b[key]) {
			continue
		}
		if text := differentPlayer(a[key], b[key]); key == "players" && text != "" {
			return text
		}
		if text := differentFile(a[key], b[key]); key == "prints" && text != "" {
			return text
		}
		return fmt.Sprintf("its %s is %.200s, not %.200s", cmp.Or(settingOf[key], key), a[key], b[key])
	}
	return "the plan differs"
}

// differentPlayer describes the first key in which two equally long lists of players
// differ, or returns "".
func differentPlayer(was, is []byte) string {
	var a, b []map[string]json.RawMessage
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil || len(a) != len(b) {
		return ""
	}
	for i := range a {
		for _, key := range slices.Sorted(maps.Keys(a[i])) {
			if !bytes.Equal(a[i][key], b[i][key]) {
				return fmt.Sprintf("its player[%d].%s is %.200s, not %.200s", i+1, strings.ToLower(key),
					a[i][key], b[i][key])
			}
		}
	}
	return ""
}

// differentFile names the first player whose strategy file differs in its checksum, or
// returns "".
func differentFile(was, is []byte) string {
	var a, b []uint64
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(is, &b) != nil || len(a) != len(b) {
		return ""
	}
	for i := range a {
		if a[i] != b[i] {
			return fmt.Sprintf("the strategy file of its player[%d] has changed", i+1)
		}
	}
	return ""
}

// Put stores the result of a shard, whole or not at all, and reports whether it was new.
// It does not replace a stored result, and does not store one after the stop of its table.
func (s *Store) Put(ctx context.Context, r *plan.Run, shard int, result *plan.Result) (fresh bool, err error) {
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
func (s *Store) Stop(ctx context.Context, r *plan.Run, table int, stop plan.Stop) error {
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
func (s *Store) NoteFailed(ctx context.Context, r *plan.Run, shard, tries int, cause error) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO troubles (run, shard, tries, error, at) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET tries = ?3, error = ?4, at = ?5`,
		r.ID, shard, tries, cause.Error(), time.Now().UnixMilli())
	return s.err(err)
}

// ClearFailed removes the note that a shard failed.
func (s *Store) ClearFailed(ctx context.Context, r *plan.Run, shard int) error {
	_, err := s.db.ExecContext(ctx, "DELETE FROM troubles WHERE run = ? AND shard = ?", r.ID, shard)
	return s.err(err)
}

// End notes that a run is complete.
func (s *Store) End(ctx context.Context, r *plan.Run) error {
	_, err := s.db.ExecContext(ctx, "UPDATE runs SET ended = ? WHERE run = ? AND ended IS NULL",
		time.Now().UnixMilli(), r.ID)
	return s.err(err)
}
