package database

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// TokenPrefix begins every token that a server makes.
const TokenPrefix = "gb_"

// NewToken returns a random token.
func NewToken() string {
	var secret [20]byte
	rand.Read(secret[:]) // never fails
	return TokenPrefix + hex.EncodeToString(secret[:])
}

// Hash returns the form in which a token is stored. A token is random and long
// enough that one round without salt cannot be inverted.
func Hash(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// ErrNoAccount is the error of a name without an account.
var ErrNoAccount = errors.New("there is no account of that name")

// ErrServersBot is the error of an account that has no token, because the server
// plays it.
var ErrServersBot = errors.New("the account is that of a bot of the server")

// What the token of an account can be.
const (
	TokenValid   = "valid"
	TokenRevoked = "revoked"
	TokenNone    = "none" // the server's own bots have none
)

// Account describes an account to the host.
type Account struct {
	Name     string    `json:"name"`
	Bot      bool      `json:"bot"`
	Token    string    `json:"token"` // TokenValid, TokenRevoked or TokenNone
	Created  time.Time `json:"created"`
	Games    int       `json:"games"`              // begun
	LastGame time.Time `json:"last_game,omitzero"` // the start of the last one
}

// Accounts lists the accounts of a database by name.
func Accounts(ctx context.Context, path string) (accounts []Account, err error) {
	err = use(path, func(db *sql.DB) error {
		const query = `SELECT name, bot, ifnull(length(token), 0), created,
				ifnull(begun, 0), ifnull(last, 0)
			FROM accounts LEFT JOIN (SELECT seats.name AS player, count(DISTINCT game) AS begun, max(started) AS last
				FROM seats JOIN games ON row = game GROUP BY seats.name) ON name = player
			ORDER BY name`
		accounts, err = list(ctx, db, query, nil, func(rows *sql.Rows, a *Account) error {
			var length int
			var created, last int64
			err := rows.Scan(&a.Name, &a.Bot, &length, &created, &a.Games, &last)
			switch length {
			case 0:
				a.Token = TokenNone
			case sha256.Size:
				a.Token = TokenValid
			default:
				a.Token = TokenRevoked
			}
			a.Created = time.UnixMilli(created).UTC()
			if last > 0 {
				a.LastGame = time.UnixMilli(last).UTC()
			}
			return err
		})
		return err
	})
	return accounts, err
}

// RenewToken gives an account a new token and returns it. The old one is of no use
// any more; a revoked account has a token again.
func RenewToken(ctx context.Context, path, name string) (string, error) {
	token := NewToken()
	sum := Hash(token)
	return token, setToken(ctx, path, name, sum[:], false)
}

// RevokeToken takes away the token of an account, which leaves its running games. Its name stays
// taken, and its finished games stay.
func RevokeToken(ctx context.Context, path, name string) error {
	// Half as long as a hash, so no token has it.
	none := make([]byte, sha256.Size/2)
	rand.Read(none)
	return setToken(ctx, path, name, none, true)
}

func setToken(ctx context.Context, path, name string, token []byte, leaves bool) error {
	return useTx(ctx, path, func(c *sql.Conn) error {
		var old []byte
		err := c.QueryRowContext(ctx, `UPDATE accounts SET token = iif(token IS NULL, NULL, ?) WHERE name = ?
			RETURNING token`, token, name).Scan(&old)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("%s: %w", name, ErrNoAccount)
		case err != nil:
			return err
		case old == nil:
			return fmt.Errorf("%s: %w", name, ErrServersBot)
		}
		if err := NoteToken(ctx, c, name); err != nil || !leaves {
			return err
		}
		return addOrder(ctx, c, Order{Kind: LeaveGames, Target: name})
	})
}

// NoteToken tells a running server that the token of an account is a new one.
func NoteToken(ctx context.Context, db executor, name string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO token_changes (name) VALUES (?)`, name)
	return err
}

// executor is a database, or a connection to one.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// TokenChange is a token that was made, renewed or revoked.
type TokenChange struct {
	Name  string
	Token []byte // as it is stored now
}

// TokenChanges returns the changes of tokens after a row, with the last row. A row
// of 0 is the beginning.
func TokenChanges(ctx context.Context, db *sql.DB, after int64) (changes []TokenChange, last int64, err error) {
	last = after
	changes, err = list(ctx, db, `SELECT row, accounts.name, token FROM token_changes
		JOIN accounts ON accounts.name = token_changes.name WHERE row > ? ORDER BY row`, []any{after},
		func(rows *sql.Rows, c *TokenChange) error { return rows.Scan(&last, &c.Name, &c.Token) })
	return changes, last, err
}

// use does something with a database that exists.
func use(path string, do func(*sql.DB) error) (err error) {
	if err := mustExist(path); err != nil {
		return err
	}
	db, err := OpenBeside(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}
