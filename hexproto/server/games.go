package server

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"gamebots/hexproto/wire"
	"gamebots/internal/memory"
	"gamebots/internal/parallel"
)

// games are the games of a server.
type games struct {
	*core
	tables     map[string]*table // running games, and those that ended a short time ago, by id
	tags       map[tagKey]string // ids of the games in tables that have a tag
	lastRow    int64             // last row in the database
	memoryUsed int               // bytes of the games in memory that do not sleep
}

type tagKey struct {
	maker *account
	tag   string
}

// loadGames reads the running games and resumes them. It returns how many there are. A game
// that cannot be resumed is aborted.
func (c *core) loadGames() (int, error) {
	last := parallel.Get(&c.state, func(st *state) error {
		return c.store.db.QueryRow(`SELECT ifnull(max(row), 0) FROM games`).Scan(&st.games.lastRow)
	})
	var rows []int64
	err := c.store.each(`SELECT row FROM games WHERE result IS NULL ORDER BY row`, nil, func(r *sql.Rows) error {
		var row int64
		err := r.Scan(&row)
		rows = append(rows, row)
		return err
	})
	if err = errors.Join(last, err); err != nil {
		return 0, fmt.Errorf("games: %w", err)
	}
	resumed := 0
	for _, row := range rows { // one at a time: most of them may have to sleep at once
		stored, err := c.readGames(`WHERE row = ?`, row)
		if err != nil {
			return 0, err
		}
		t := stored[0]
		if t.rules == nil { // a server with more rules began it, and may come back
			c.log.Warn("a game of unknown rules", "game", t.id, "rules", t.rulesName)
			continue
		}
		err = t.restore()
		ok := c.locked(func(tx *transaction) {
			tx.game = t.ref()
			if err == nil {
				tx.games.resume(tx, t)
				return
			}
			c.log.Error("a game cannot be resumed", "game", t.id, "error", err)
			t.giveUp(tx)
		})
		if ok && err == nil {
			resumed++
		}
	}
	return resumed, nil
}

// resume takes up a game that was read from the database.
func (gs *games) resume(tx *transaction, t *table) {
	t.memory = bytesOf(t.game)
	gs.add(t)
	if end := t.outcome(); end != nil { // the last move was written, its end was not
		t.end(tx, end)
		return
	}
	t.resumed = true
	t.startClocks(tx)
	t.startBots(tx)
	t.playForGone(tx)
	gs.makeRoom(0)
	time.AfterFunc(gs.limits.BackAfter, func() {
		gs.locked(func(tx *transaction) {
			tx.game = t.ref()
			t.resumed = false
			t.startClocks(tx)
		})
	})
}

// begin gives the game of a challenge between players, which was started for them, a table. The caller announces it.
func (gs *games) begin(tx *transaction, ch *challenge, players []*account, g started) *table {
	t := &table{
		core: gs.core,
		record: record{
			id: newID("g"), tag: ch.Tag, maker: ch.from, rulesName: ch.Rules, kind: ch.kind, rated: ch.Rated,
			started: date(),
		},
		position: position{rules: ch.rules, options: ch.options, seed: g.seed, game: g.game},
		seating:  seating{seats: players, watchers: map[*conn]bool{}, clocks: clocks{Clock: ch.Clock}},
		memory:   ch.memory,
	}
	rand.Shuffle(len(t.seats), func(i, j int) { t.seats[i], t.seats[j] = t.seats[j], t.seats[i] })
	if seat := slices.Index([]string{"first", "second"}, ch.Seat); seat >= 0 {
		from := t.seat(ch.from)
		t.seats[from], t.seats[seat] = t.seats[seat], t.seats[from]
	}
	t.seats = append(t.seats, ch.fill...)
	t.position.begin(&t.clocks)
	t.moved = t.started
	gs.lastRow++
	t.row = gs.lastRow
	tx.game = t.ref()
	var hash []byte // hash of the options, if they are stored once
	if t.options.cut {
		sum := sha256.Sum256(t.options.whole)
		hash = sum[:]
		tx.write(addText, hash, string(t.options.whole))
	}
	tx.write(addGame, t.row, t.id, ch.from.name, t.tag, t.rulesName, string(t.options.short), t.kind,
		t.clocks.Main, t.clocks.Increment, t.clocks.PerMove, t.rated, t.started, t.seed, hash)
	for seat, p := range t.players(t.kind) {
		tx.write(addSeat, t.row, seat, p.Name, p.Rating)
	}
	if t.rated {
		countBegun(t.seats[0], t.seats[1], t.started)
	}
	gs.add(t)
	t.startClocks(tx)
	t.startBots(tx)
	tx.lobby.changed()
	gs.count.games.Add(1)
	return t
}

// add puts a game among the running ones.
func (gs *games) add(t *table) {
	gs.tables[t.id] = t
	gs.memoryUsed += t.memory
	if t.tag != "" {
		gs.tags[tagKey{t.maker, t.tag}] = t.id
	}
	for _, a := range t.seats {
		a.memory += t.memory
		if t.plays(a) {
			a.tables[t.ref()] = true
		}
	}
}

// remove forgets a game that ended a while ago.
func (gs *games) remove(t *table) {
	if gs.tables[t.id] != t {
		return // it was given up
	}
	for _, a := range t.seats {
		a.memory -= t.memory
	}
	if !t.asleep() {
		gs.memoryUsed -= t.memory
	}
	for c := range t.watchers {
		delete(c.watches, t.ref())
	}
	delete(gs.tables, t.id)
	if t.tag != "" {
		delete(gs.tags, tagKey{t.maker, t.tag})
	}
}

// inMemory reports whether a game runs, or ended a short time ago.
func (c *core) inMemory(id string) bool {
	return parallel.Get(&c.state, func(st *state) bool { return st.games.tables[id] != nil })
}

// of returns the ids of the games that an account plays.
func (gs *games) of(a *account) []string {
	ids := []string{}
	for game := range a.tables {
		ids = append(ids, game.Under(gs).id)
	}
	return ids
}

// limit returns an error if an account can not begin the game of a challenge, because it has
// too many, or they take too much.
func (gs *games) limit(a *account, ch *challenge) *wire.Error {
	clockless, slow := 0, 0
	for game := range a.tables {
		t := game.Under(gs)
		switch {
		case t.clocks.Correspondence():
			slow++
		case t.clocks.None() && !t.withBots(): // with bots they have a limit of their own
			clockless++
		}
	}
	const finish = "finish or resign one"
	switch l := gs.limits; {
	case len(a.tables) >= l.Games:
		return refusal(wire.TooMany, "", "%s plays %d games, the limit: %s", a.name, len(a.tables), finish)
	case ch.Clock.None() && ch.bot() == nil && clockless >= l.Clockless:
		return refusal(wire.TooMany, "", "%s plays %d games without clocks, the limit: %s, or play with clocks",
			a.name, clockless, finish)
	case ch.Clock.Correspondence() && slow >= l.SlowGames:
		return refusal(wire.TooMany, "", "%s plays %d games with days for a move, the limit: %s", a.name, slow, finish)
	case a.memory+ch.memory > l.Memory:
		return later(keepFinished, refusal(wire.TooMany, "",
			"the games of %s would take %s of memory, and the limit is %s: %s, or play a smaller game", a.name,
			memory.Bytes(int64(a.memory+ch.memory)), memory.Bytes(int64(l.Memory)), finish))
	}
	if e := gs.mayStore(a, a.payer()); e != nil {
		return e
	}
	if !gs.makeRoom(ch.memory) {
		return later(keepFinished, refusal(wire.TooMany, "",
			"the running games take all the memory that this server has for them: try again when some are over"))
	}
	if bot := ch.bot(); bot != nil {
		return gs.botLimit(a, bot)
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
// table with an error if the game is over for the account. The transaction is about that game.
func (gs *games) ofPlayer(tx *transaction, a *account, id string) (*table, int, *wire.Error) {
	t := gs.tables[id]
	if t == nil {
		return nil, 0, refusal(wire.NotFound, id, "no such running game")
	}
	tx.game = t.ref()
	seat := t.seat(a)
	switch {
	case seat < 0:
		return nil, 0, refusal(wire.NotYours, id, "you do not play in this game")
	case t.asleep(): // a bot of the server asks, and is woken with the game
		return nil, 0, refusal(wire.Refused, id, "nobody is at the game")
	case t.result != nil:
		return t, seat, refusal(wire.GameOver, id, "the game is over")
	case t.hasLeft(seat):
		return t, seat, refusal(wire.GameOver, id, "you have left the game")
	}
	return t, seat, nil
}

// readGames reads games with a clause of SQL, and does not add them. They have no position
// until they are restored.
func (c *core) readGames(clause string, args ...any) (tables []*table, err error) {
	query := `SELECT row, id, maker, tag, rules,
		ifnull((SELECT text FROM texts WHERE texts.row = whole), options), kind, main, increment, per_move, rated,
		started, result, seed,
		max(started, ifnull((SELECT max(at) FROM moves WHERE game = games.row), 0)) FROM games ` + clause
	err = c.store.each(query, args, func(rows *sql.Rows) error {
		t := &table{core: c, seating: seating{watchers: map[*conn]bool{}}}
		var maker, options string
		var result *string
		clock := &t.clocks.Clock
		if err := rows.Scan(&t.row, &t.id, &maker, &t.tag, &t.rulesName, &options, &t.kind, &clock.Main,
			&clock.Increment, &clock.PerMove, &t.rated, &t.started, &result, &t.seed, &t.moved); err != nil {
			return err
		}
		t.rules, t.options, t.maker = c.rules[t.rulesName], optionsOf(json.RawMessage(options)), c.accountOf(maker)
		if result != nil {
			t.result = &wire.Result{}
			if err := json.Unmarshal([]byte(*result), t.result); err != nil {
				return fmt.Errorf("game %s: %w", t.id, err)
			}
		}
		tables = append(tables, t)
		return nil
	})
	for _, t := range tables {
		if err == nil {
			err = errors.Join(t.readSeats(), t.readMoves(), t.readChat())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("games: %w", err)
	}
	return tables, nil
}

// readSeats reads the players of a game, and which of them are away or have left it.
func (t *table) readSeats() error {
	names := map[int]string{}
	away := map[int]int{}
	const query = `SELECT seat, name, gone, away FROM seats WHERE game = ? ORDER BY gone`
	err := t.core.store.each(query, []any{t.row}, func(rows *sql.Rows) error {
		var seat, hands int
		var name string
		var gone *int // NULL if it has not left
		err := rows.Scan(&seat, &name, &gone, &hands)
		if names[seat], away[seat] = name, hands; gone != nil {
			t.gone = append(t.gone, seat)
		}
		return err
	})
	for seat := range len(names) {
		t.seats = append(t.seats, t.core.accountOf(names[seat]))
		t.clocks.away = append(t.clocks.away, away[seat])
	}
	return err
}

// readMoves reads the moves of a game.
func (t *table) readMoves() error {
	const query = `SELECT turn, seat, move, ms FROM moves WHERE game = ? ORDER BY turn, seat`
	return t.core.store.each(query, []any{t.row}, func(rows *sql.Rows) error {
		var m wire.Move
		err := rows.Scan(&m.Turn, &m.Seat, &m.Move, &m.Ms)
		t.moves = append(t.moves, m)
		return err
	})
}

// readChat reads the end of the chat of a game, once its seats are read.
func (t *table) readChat() error {
	const query = `SELECT sender, text, at FROM (
		SELECT *, row_number() OVER (PARTITION BY sender IN (SELECT name FROM seats WHERE game = ?1)
			ORDER BY at DESC, rowid DESC) AS n, rowid AS line FROM chat WHERE game = ?1)
		WHERE n <= ?2 ORDER BY at, line`
	return t.core.store.each(query, []any{t.row, maxChat}, func(rows *sql.Rows) error {
		var line said
		err := rows.Scan(&line.From, &line.Text, &line.At)
		line.from = t.core.accountOf(line.From)
		t.addLine(&line)
		return err
	})
}

// restore plays the moves of a game that was read. It returns an error, too, if the
// game's rules panic.
func (t *table) restore() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			t.core.failed(t, fault)
			err = errors.New(reasonFailed)
		}
	}()
	return t.replay(t.moves, &t.clocks)
}
