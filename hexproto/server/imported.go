package server

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// importGame returns a game that was played elsewhere as one that is over, or an error. Only the archive has it, until
// others are asked for; the same record has the same id, so that it can be imported again, and its analyses are found.
func (s *Server) importGame(c *conn, m *wire.Import, at time.Time) wire.Message {
	if wait := take(c.account.started, at, max(len(m.Text), leastOptions)); wait > 0 {
		return later(wait, refusal(wire.TooFast, "", "too many records are read"))
	}
	done, err := s.archive.reading.Take(c.ctx, c.account)
	if err != nil {
		return errFailed("") // the client has left
	}
	defer done()
	t, e := s.readForeign(m.Text)
	if e != nil {
		return e
	}
	if known, ok := s.archive.recent.Get(t.id); ok {
		t = known.table
	} else {
		size, err := t.freeze()
		if err != nil {
			return errFailed("")
		}
		s.archive.keep(&archived{t.id, t, int64(size + len(t.foreign) + 1000)})
	}
	return parallel.Get(&s.state, func(*state) *wire.Game { return t.stateFor(t.readerOf(c)) })
}

// readForeign reads a record by the first rules that can.
func (s *Server) readForeign(text string) (*table, *wire.Error) {
	sure := slices.ContainsFunc(s.Rules, func(rules game.Rules) bool {
		reader, ok := rules.(game.Reader)
		return ok && reader.Reads(text)
	})
	var refused error // the reason of the first rules whose game it is
	for _, rules := range s.Rules {
		reader, ok := rules.(game.Reader)
		if !ok || reader.Reads(text) != sure {
			continue
		}
		f, err := reader.Read(text)
		if err == nil {
			return s.foreignTable(rules, f)
		}
		if refused == nil || errors.Is(refused, game.ErrOther) {
			refused = err
		}
	}
	if refused == nil {
		return nil, refusal(wire.Refused, "", "this server reads no records")
	}
	return nil, refusal(wire.Illegal, "", "%v", refused)
}

// foreignTable returns the table of a game that was played elsewhere.
func (s *Server) foreignTable(rules game.Rules, f *game.Foreign) (*table, *wire.Error) {
	g := f.Game
	if g == nil {
		var err error
		if g, err = rules.New(f.Options); err != nil {
			return nil, refusal(wire.Illegal, "", "%v", err)
		}
	}
	about, sum := rules.About(), sha256.Sum256([]byte(f.Record))
	t := &table{
		core: s.core,
		record: record{
			id: "r" + hex.EncodeToString(sum[:8]), rulesName: about.Name, kind: kindOf(about.Name, g), started: date(),
			foreign: f.Record,
		},
		position: position{rules: rules, options: optionsOf(g.Options()), game: g, first: f.Game},
		seating:  seating{watchers: map[*conn]bool{}},
	}
	t.position.begin(&t.clocks)
	for _, move := range f.Moves {
		seat := t.waiting()[0]
		text, err := g.Check(seat, move)
		if err == nil {
			_, err = t.play(seat, text, 0, &t.clocks)
		}
		if err != nil {
			return nil, refusal(wire.Illegal, "", "%v", err)
		}
	}
	for seat, name := range about.Seats {
		t.seats = append(t.seats, newAccount(cmp.Or(foreignName(f.Players[seat]), name), false, 0, strength{}))
	}
	switch t.result = g.Result(); {
	case t.result != nil:
	case f.Resigned >= 0:
		t.result = wire.WonBy(1-f.Resigned, len(t.seats), wire.Resigned)
	default:
		t.result = t.aborted("the record ends here")
	}
	return t, nil
}

// foreignName returns a name as those of accounts are, "" if little is left of it.
func foreignName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name), "_")
	if len(name) < 2 {
		return ""
	}
	return name[:min(len(name), 24)]
}
