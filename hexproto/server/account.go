package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"gamebots/hexproto/wire"
)

// account is who can play. Tokens are kept as hashes only. All is guarded by the
// server's lock.
type account struct {
	name    string
	key     string // the name in small letters
	bot     bool
	builtin *BuiltinBot // a bot of the server itself
	rating  float64
	games   int // rated ones

	conns      map[*conn]bool
	tables     map[*table]bool // that it plays
	challenges int             // that it has open
	left       *time.Timer     // until its challenges are gone, while it is not connected
}

func (a *account) player() wire.Player {
	return wire.Player{Name: a.name, Bot: a.bot, Rating: int(math.Round(a.rating))}
}

func (a *account) present() bool { return a.builtin != nil || len(a.conns) > 0 }

func newAccount(name string, bot bool, rating float64, games int) *account {
	return &account{name: name, key: key(name), bot: bot, rating: rating, games: games, conns: map[*conn]bool{}, tables: map[*table]bool{}}
}

// firstRating is that of a new account.
const firstRating = 1500

const tokenPrefix = "gb_"

func newToken() string {
	var secret [20]byte
	rand.Read(secret[:]) // never fails
	return tokenPrefix + hex.EncodeToString(secret[:])
}

// hash is what is kept of a token: it is random and long enough that one round
// without salt cannot be turned back.
func hash(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// CheckName says why a name is none for an account.
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

// key is a name as a key: the case does not matter.
func key(name string) string { return strings.ToLower(name) }

// AddAccount makes an account in a database, of a server that runs or not, and
// returns its token.
func AddAccount(database, name string, bot bool) (token string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	st, err := openStore(database, func(error) {})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, st.close()) }()
	token = newToken()
	sum := hash(token)
	if _, err := st.db.Exec(addAccount, name, sum[:], bot, firstRating, time.Now().UnixMilli()); err != nil {
		if strings.Contains(err.Error(), "UNIQUE") {
			return "", fmt.Errorf("the name %s is taken", name)
		}
		return "", err
	}
	return token, nil
}

// accountOf returns the account of a token, or nil. Another process may have
// added it, so the database is asked for what is not known.
func (s *Server) accountOf(ctx context.Context, token string) *account {
	sum := hash(token)
	s.mu.Lock()
	a := s.tokens[sum]
	s.mu.Unlock()
	if a != nil || !strings.HasPrefix(token, tokenPrefix) {
		return a
	}
	var name string
	var bot bool
	var rating float64
	var games int
	row := s.store.db.QueryRowContext(ctx, `SELECT name, bot, rating, games FROM accounts WHERE token = ?`, sum[:])
	if err := row.Scan(&name, &bot, &rating, &games); err != nil {
		if !errors.Is(err, sql.ErrNoRows) {
			s.log.Error("looking for a token", "error", err)
		}
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a = s.accounts[key(name)]; a == nil {
		a = newAccount(name, bot, rating, games)
		s.accounts[key(name)] = a
	}
	s.tokens[sum] = a
	return a
}

// register makes an account for a name, and returns its token if that is new. It
// holds the lock.
func (s *Server) register(st *step, m *wire.Hello) (a *account, token string, refused *wire.Error) {
	name, secret := m.Name, m.Token
	if secret == "" {
		token = newToken()
		secret = token
	} else {
		name = cmp.Or(name, "guest")
	}
	switch err := CheckName(name); {
	case err != nil:
		return nil, "", &wire.Error{Code: wire.BadName, Text: err.Error()}
	case s.accounts[key(name)] != nil || s.inDatabase(name):
		return nil, "", &wire.Error{Code: wire.BadName, Text: "the name " + name + " is taken"}
	case len(s.accounts) >= s.limits.Accounts:
		return nil, "", &wire.Error{Code: wire.TooMany, Text: "there are too many accounts"}
	}
	a = newAccount(name, m.Bot, firstRating, 0)
	sum := hash(secret)
	s.accounts[key(name)], s.tokens[sum] = a, a
	st.write(addAccount+` ON CONFLICT DO NOTHING`, a.name, sum[:], m.Bot, firstRating, now())
	return a, token, nil
}

// inDatabase says whether an account exists that another process may have added.
func (s *Server) inDatabase(name string) bool {
	n := 0
	err := s.store.db.QueryRow(`SELECT count(*) FROM accounts WHERE name = ?`, name).Scan(&n)
	return err != nil || n > 0
}

// rate changes two ratings after a game, as Elo did: the sum stays about the
// same, and what new accounts lose or win counts more.
func rate(a, b *account, score float64) {
	expected := 1 / (1 + math.Pow(10, (b.rating-a.rating)/400))
	a.rating += weight(a) * (score - expected)
	b.rating -= weight(b) * (score - expected)
	a.games++
	b.games++
}

func weight(a *account) float64 {
	if a.games < 30 {
		return 40
	}
	return 16
}

func now() int64 { return time.Now().UnixMilli() }
