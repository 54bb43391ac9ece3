package server

import (
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// games are the games of a server. It is guarded by the server's lock.
type games struct {
	*core
	rules    map[string]game.Rules
	accounts *accounts
	tables   map[string]*table // by id: running games, and those that ended a short time ago
	tags     map[tagKey]string // ids of the games in tables that have a tag
	lastRow  int64             // of the database
	changed  func()            // called when the lobby's list of games has changed

	players  sync.WaitGroup // goroutines of the server's bots
	thinking chan struct{}  // has room for one move of maxThinking bots
}

type tagKey struct {
	maker *account
	tag   string
}

// load reads the running games and resumes them. It returns how many there are.
func (gs *games) load() (int, error) {
	if err := gs.store.db.QueryRow(`SELECT ifnull(max(row), 0) FROM games`).Scan(&gs.lastRow); err != nil {
		return 0, fmt.Errorf("games: %w", err)
	}
	tables, err := gs.read(`WHERE result IS NULL ORDER BY row`)
	if err != nil {
		return 0, err
	}
	gs.locked(func(tx *transaction) {
		for _, t := range tables {
			gs.resume(tx, t)
		}
	})
	return len(tables), nil
}

// resume takes up a game that was read from the database.
func (gs *games) resume(tx *transaction, t *table) {
	gs.add(t)
	if end := t.game.Result(); end != nil { // the last move was written, its end was not
		t.end(tx, *end)
		return
	}
	t.resumed = true
	t.startClocks()
	t.startBots(tx)
	time.AfterFunc(gs.limits.BackAfter, func() {
		gs.locked(func(*transaction) {
			t.resumed = false
			t.startClocks()
		})
	})
}

// begin starts the game of a challenge. The caller announces it.
func (gs *games) begin(tx *transaction, ch *challenge, by *account, g game.Game) *table {
	t := &table{
		games: gs, id: newID("g"), tag: ch.Tag, maker: ch.from, rules: ch.rules, rulesName: ch.Rules, game: g, seats: [2]*account{ch.from, by},
		rated: ch.Rated, started: date(), clocks: newClocks(ch.Clock), watchers: map[*conn]bool{},
	}
	if ch.Seat == "second" || ch.Seat != "first" && mathrand.IntN(2) == 1 {
		t.seats[0], t.seats[1] = by, ch.from
	}
	gs.lastRow++
	t.row = gs.lastRow
	ratings := [2]int{t.seats[0].player().Rating, t.seats[1].player().Rating}
	tx.write(addGame, t.row, t.id, ch.from.name, t.tag, t.rulesName, string(g.Options()), t.seats[0].name, t.seats[1].name,
		t.clocks.Main, t.clocks.Increment, t.clocks.PerMove, t.rated, t.started, ratings[0], ratings[1])
	gs.add(t)
	t.startClocks()
	t.startBots(tx)
	gs.changed()
	gs.count.games.Inc()
	return t
}

// add puts a game among the running ones.
func (gs *games) add(t *table) {
	gs.tables[t.id] = t
	if t.tag != "" {
		gs.tags[tagKey{t.maker, t.tag}] = t.id
	}
	for _, a := range t.seats {
		a.tables[t] = true
	}
}

// remove forgets a game that ended a while ago.
func (gs *games) remove(t *table) {
	for c := range t.watchers {
		delete(c.watches, t)
	}
	delete(gs.tables, t.id)
	if t.tag != "" {
		delete(gs.tags, tagKey{t.maker, t.tag})
	}
}

// limit returns an error if an account can have no more games.
func (gs *games) limit(a *account) *wire.Error {
	if len(a.tables) >= gs.limits.Games {
		return &wire.Error{Code: wire.TooMany, Text: a.name + " has too many games"}
	}
	return nil
}

// running counts the games that are not over.
func (gs *games) running() int {
	n := 0
	for _, t := range gs.tables {
		if t.result == nil {
			n++
		}
	}
	return n
}

// ofPlayer returns a game in which an account plays, and its seat. It returns the
// table with an error if the game is over.
func (gs *games) ofPlayer(a *account, id string) (*table, int, *wire.Error) {
	t := gs.tables[id]
	if t == nil {
		return nil, 0, &wire.Error{Code: wire.NotFound, Text: "no such running game", Game: id}
	}
	seat := t.seat(a)
	switch {
	case seat < 0:
		return nil, 0, &wire.Error{Code: wire.NotYours, Text: "you do not play in this game", Game: id}
	case t.result != nil:
		return t, seat, &wire.Error{Code: wire.GameOver, Text: "the game is over", Game: id}
	}
	return t, seat, nil
}

// finished reads a game that is no longer in memory. It returns nil if the game is
// in memory, or unknown. The caller does not hold the lock.
func (gs *games) finished(id string) (*table, error) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	if gs.tables[id] != nil {
		return nil, nil
	}
	tables, err := gs.read(`WHERE id = ? AND result IS NOT NULL`, id)
	if err != nil || len(tables) == 0 {
		return nil, err
	}
	return tables[0], nil
}

// read reads games of the database with a clause of SQL, and does not add them.
func (gs *games) read(clause string, args ...any) ([]*table, error) {
	rows, err := gs.store.db.Query(`SELECT row, id, maker, tag, rules, options, first, second, main, increment, per_move, rated, started, result, rating0, rating1 FROM games `+clause, args...)
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	defer rows.Close()
	var tables []*table
	for rows.Next() {
		t := &table{games: gs, watchers: map[*conn]bool{}}
		var maker, options string
		var names [2]string
		var clock wire.Clock
		var result *string
		if err := rows.Scan(&t.row, &t.id, &maker, &t.tag, &t.rulesName, &options, &names[0], &names[1],
			&clock.Main, &clock.Increment, &clock.PerMove, &t.rated, &t.started, &result, &t.ratings[0], &t.ratings[1]); err != nil {
			return nil, fmt.Errorf("games: %w", err)
		}
		t.rules = gs.rules[t.rulesName]
		t.maker = gs.accounts.named(maker)
		t.seats = [2]*account{gs.accounts.named(names[0]), gs.accounts.named(names[1])}
		if t.rules == nil {
			gs.log.Warn("a game of unknown rules", "game", t.id, "rules", t.rulesName)
			continue
		}
		if t.game, err = t.rules.New(json.RawMessage(options)); err != nil {
			return nil, fmt.Errorf("game %s: %w", t.id, err)
		}
		if result != nil {
			t.result = &wire.Result{}
			if err := json.Unmarshal([]byte(*result), t.result); err != nil {
				return nil, fmt.Errorf("game %s: %w", t.id, err)
			}
		}
		t.clocks = newClocks(clock)
		tables = append(tables, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	for _, t := range tables {
		if err := gs.readMoves(t); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// readMoves reads a game's moves and the end of its chat.
func (gs *games) readMoves(t *table) error {
	failed := func(err error) error { return fmt.Errorf("game %s: %w", t.id, err) }
	rows, err := gs.store.db.Query(`SELECT turn, seat, move, ms FROM moves WHERE game = ? ORDER BY turn, seat`, t.row)
	if err != nil {
		return failed(err)
	}
	defer rows.Close()
	var moves []wire.Move
	for rows.Next() {
		var m wire.Move
		if err := rows.Scan(&m.Turn, &m.Seat, &m.Move, &m.Ms); err != nil {
			return failed(err)
		}
		moves = append(moves, m)
	}
	if err := rows.Err(); err != nil {
		return failed(err)
	}
	result := t.result
	t.result = nil // toMove reads it
	err = t.replay(moves)
	t.result = result
	if err != nil {
		return err
	}
	chat, err := gs.store.db.Query(`SELECT sender, text, at FROM chat WHERE game = ? ORDER BY at DESC LIMIT ?`, t.row, maxChat)
	if err != nil {
		return failed(err)
	}
	defer chat.Close()
	for chat.Next() {
		var line wire.Line
		if err := chat.Scan(&line.From, &line.Text, &line.At); err != nil {
			return failed(err)
		}
		t.chat = append([]wire.Line{line}, t.chat...)
	}
	return chat.Err()
}
