package server

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	"golang.org/x/time/rate"
)

// account is a player. The server's lock guards what changes.
type account struct {
	name    string
	key     string // the name in lower case
	bot     bool
	builtin *engines.Bot      // nil for everyone but the server's bots
	token   [sha256.Size]byte // its hash; zero without a token
	created int64
	// first is its rating in the kinds of game of which it has played no rated one.
	first     strength
	standings map[string]*standing // ratings and results by kind of game

	conns      map[*conn]bool
	tables     map[tableRef]bool // its running games
	unread     atomic.Int64      // bytes that its connections have not read
	memory     int               // bytes that they take, with those that ended a moment ago
	challenges int               // open ones that it made, or has accepted and that wait for more players
	expiry     *time.Timer       // ends its challenges, while it is not connected
	kicked     time.Time         // when it may come again

	ratedWith map[*account]times // when its rated games with others began, within fairPeriod
	aborts    times              // when the games began that it has aborted
	ignored   map[*account]bool  // whose chat it does not read; true for those whom it blocks

	// Of its lines of chat, of its challenges to players who did not accept them, of the bytes of options from
	// which games were started for it, and of the lobbies that it has asked for with the changes of whom it ignores.
	chatted, challenged, started, asked *rate.Limiter
}

// The rates of what an account sends to others, a second and at once. They are below that of
// messages: a line of chat goes to many connections, and into the database in a game, and a
// program answers each challenge with a message of its own, for which its moves wait.
const (
	chatRate       = 1
	chatBurst      = 10
	challengeRate  = 10
	challengeBurst = 64
)

// The rate of entering the lobby and of ignoring players, a second and at once.
const (
	askRate  = 2
	askBurst = 20
)

// The rate of the bytes of options that the server reads for an account, a second and at once. Those of a
// large matrix game take it 50 ms. Options count as leastOptions at least.
const (
	optionsRate  = 4 << 10
	optionsBurst = 64 << 10
	leastOptions = 64
)

func newAccount(name string, bot bool, created int64, first strength) *account {
	return &account{
		name: name, key: key(name), bot: bot, created: created, first: first, standings: map[string]*standing{},
		ratedWith: map[*account]times{}, ignored: map[*account]bool{},
		conns: map[*conn]bool{}, tables: map[tableRef]bool{},
		chatted: rate.NewLimiter(chatRate, chatBurst), challenged: rate.NewLimiter(challengeRate, challengeBurst),
		started: rate.NewLimiter(optionsRate, optionsBurst), asked: rate.NewLimiter(askRate, askBurst),
	}
}

// present reports whether the account is connected, or a bot of the server.
func (a *account) present() bool { return a.builtin != nil || len(a.conns) > 0 }

// plays reports whether the account is a bot of the server that plays a game.
func (a *account) plays(rules string) bool {
	return a.builtin != nil && slices.Contains(a.builtin.Rules, rules)
}

// CheckName returns an error unless a name is valid for an account.
func CheckName(name string) error {
	if len(name) < 2 || len(name) > 24 {
		return errors.New("a name has 2 to 24 letters")
	}
	for _, c := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", c) {
			return errors.New("a name has only letters from a to z, digits, - and _")
		}
	}
	return nil
}

// key returns a name as a key of a map: case does not matter.
func key(name string) string { return strings.ToLower(name) }

// AddAccount adds an account to the database at a path and returns its token. A server
// may be running on the database.
func AddAccount(path, name string, bot bool) (token string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	db, err := database.OpenBeside(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	token = database.NewToken()
	sum := database.Hash(token)
	if _, err := db.Exec(addAccount, name, sum[:], bot, firstRating, maxDeviation, date()); err != nil {
		if database.Exists(err) {
			return "", fmt.Errorf("the name %s is taken", name)
		}
		return "", err
	}
	return token, database.NoteToken(context.Background(), db, name)
}

// accounts are the accounts of a server.
type accounts struct {
	*core
	byName  map[string]*account // accounts by key
	byToken map[[sha256.Size]byte]*account
}

// readAccounts reads accounts with a clause of SQL.
func (c *core) readAccounts(clause string, args ...any) error {
	query := `SELECT name, token, bot, rating, deviation, created FROM accounts ` + clause
	return c.store.each(query, args, func(rows *sql.Rows) error {
		var name string
		var token []byte
		var bot bool
		var created int64
		first := newStrength()
		if err := rows.Scan(&name, &token, &bot, &first.Rating, &first.Deviation, &created); err != nil {
			return err
		}
		c.state.With(func(st *state) {
			a := st.accounts.byName[key(name)]
			if a == nil {
				a = newAccount(name, bot, created, first)
				st.accounts.byName[key(name)] = a
			}
			if len(token) == sha256.Size {
				st.accounts.setToken(a, [sha256.Size]byte(token))
			}
		})
		return nil
	})
}

// load reads what the accounts have played, and gives the server's bots theirs as addBots does.
func (as *accounts) load(bots []engines.Bot) (played []engines.Bot, err error) {
	if err := errors.Join(as.loadStandings(), as.loadIgnored()); err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	if played, err = as.addBots(bots); err != nil {
		return nil, err
	}
	if err := as.loadFair(); err != nil {
		return nil, fmt.Errorf("games of the last day: %w", err)
	}
	return played, nil
}

// addBots gives the server's bots their accounts, which have no tokens. It returns those
// bots whose names are not taken by players. The error is a *engines.NameError.
func (as *accounts) addBots(bots []engines.Bot) ([]engines.Bot, error) {
	named := map[string]bool{}
	for _, b := range bots {
		if err := CheckName(b.Name); err != nil {
			return nil, &engines.NameError{Name: b.Name, Problem: err.Error()}
		}
		if named[key(b.Name)] {
			return nil, &engines.NameError{Name: b.Name, Problem: "another bot of the server has that name"}
		}
		named[key(b.Name)] = true
	}
	bots = slices.DeleteFunc(slices.Clone(bots), func(b engines.Bot) bool {
		a := as.byName[key(b.Name)]
		taken := a != nil && a.token != [sha256.Size]byte{}
		if taken {
			as.log.Warn("a bot of the server is left out, because a player has its name", "bot", b.Name)
		}
		return taken
	})
	for i := range bots {
		b := &bots[i]
		a := as.byName[key(b.Name)]
		if a == nil {
			a = newAccount(b.Name, true, date(), newStrength())
			as.byName[key(b.Name)] = a
			var tx transaction
			tx.write(addAccount+` ON CONFLICT DO NOTHING`, a.name, nil, true, firstRating, maxDeviation,
				a.created)
			as.store.submit(tx)
		}
		a.builtin = b
	}
	return bots, nil
}

// named returns the account of a name. It makes one up where the account was
// deleted from the database by hand.
func (as *accounts) named(name string) *account {
	if a := as.byName[key(name)]; a != nil {
		return a
	}
	return newAccount(name, false, 0, newStrength())
}

// accountOf returns the account of a name as named does, and takes the lock for it.
func (c *core) accountOf(name string) *account {
	return parallel.Get(&c.state, func(st *state) *account { return st.accounts.named(name) })
}

// withToken returns the account of a token that a client sends, or nil. A token that
// the server has not heard of yet may be of an account that another process has added a moment
// ago, so it is looked up in the database. Wrong ones of a client take longer and longer;
// if it would take too long, or the database cannot be read, withToken returns the refusal.
func (c *core) withToken(ctx context.Context, client, token string) (a *account, refused *wire.Error) {
	sum := database.Hash(token)
	if a = c.withHash(sum); a != nil {
		return a, nil
	}
	if retry := c.guesses.Guess(ctx, client); retry > 0 {
		return nil, later(retry, refusal(wire.TooFast, "", "too many wrong tokens"))
	}
	err := c.readAccounts(`WHERE token = ?`, sum[:])
	if a = c.withHash(sum); a != nil || err != nil {
		c.guesses.Right(client)
	}
	switch {
	case a != nil:
		return a, nil
	case err != nil:
		c.log.Error("looking for a token", "error", err)
		return nil, errFailed("")
	}
	c.count.wrongTokens.Add(1)
	return nil, nil
}

// withHash returns the account in memory whose token has a hash, or nil.
func (c *core) withHash(sum [sha256.Size]byte) *account {
	return parallel.Get(&c.state, func(st *state) *account { return st.accounts.byToken[sum] })
}

// setToken gives an account the token with a hash. The one before is of no use any
// more.
func (as *accounts) setToken(a *account, sum [sha256.Size]byte) {
	delete(as.byToken, a.token)
	a.token, as.byToken[sum] = sum, a
}

// tokenChanged takes up the token of an account that another process has made, renewed or revoked,
// and closes the connections that an older one has opened.
func (as *accounts) tokenChanged(tx *transaction, change database.TokenChange) {
	a := as.byName[key(change.Name)]
	delete(as.byToken, a.token)
	a.token = [sha256.Size]byte{}
	if len(change.Token) == sha256.Size {
		as.setToken(a, [sha256.Size]byte(change.Token))
	}
	for c := range a.conns {
		if c.token != a.token {
			c.shutOut(tx, refusal(wire.BadToken, "", "the token was renewed or revoked"))
		}
	}
}

// register makes the account that a hello asks for, and returns its token.
func (as *accounts) register(tx *transaction, m *wire.Hello) (a *account, token string, refused *wire.Error) {
	name := m.Name
	if err := CheckName(name); err != nil {
		return nil, "", refusal(wire.BadName, "", "%v", err)
	}
	taken, err := as.byName[key(name)] != nil, error(nil)
	if !taken { // another process may have added it to the database
		taken, err = as.HasAccount(as.ctx, name)
	}
	switch {
	case err != nil:
		as.log.Error("looking for an account", "error", err)
		return nil, "", errFailed("")
	case taken:
		return nil, "", refusal(wire.BadName, "", "the name %s is taken", name)
	case len(as.byName) >= as.limits.Accounts:
		return nil, "", refusal(wire.TooMany, "", "there are too many accounts")
	}
	a = newAccount(name, m.Bot, date(), newStrength())
	token = database.NewToken()
	sum := database.Hash(token)
	as.byName[key(name)] = a
	as.setToken(a, sum)
	tx.write(addAccount+` ON CONFLICT DO NOTHING`, a.name, sum[:], m.Bot, firstRating, maxDeviation, a.created)
	return a, token, nil
}

// clock is replaced by tests.
var clock = time.Now

// now returns the time of the games' clocks in milliseconds. It is about Unix time,
// but goes on steadily when the system's clock is changed.
func now() int64 { return wire.TimeOf(clock()).UnixMilli() }

// date returns the system's time in Unix milliseconds, for what is stored.
func date() int64 { return clock().UnixMilli() }
