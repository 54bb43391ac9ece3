package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Ban keeps an account, or all clients of an address or network, out of a server or from its chat.
type Ban struct {
	Target string    `json:"target"`                // an account, an address, or a network such as 203.0.113.0/24
	Chat   bool      `json:"chat" text:"chat only"` // from chat only
	Until  time.Time `json:"until,omitzero"`
	Reason string    `json:"reason,omitempty"` // text for the banned
	Made   time.Time `json:"made" text:"since"`
}

// Network returns the addresses of a ban. It reports false for that of an account.
func (b Ban) Network() (netip.Prefix, bool) {
	p, err := parseNetwork(b.Target)
	return p, err == nil
}

// Over reports whether a ban has ended at a time.
func (b Ban) Over(at time.Time) bool { return !b.Until.IsZero() && !at.Before(b.Until) }

// Sentence says for the banned how long a ban is, and why.
func (b Ban) Sentence() string {
	what := "banned"
	if b.Chat {
		what = "banned from chat"
	}
	if !b.Until.IsZero() {
		what += " until " + b.Until.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	if b.Reason != "" {
		what += ": " + b.Reason
	}
	return what
}

// ErrWide is wrapped by the error of a ban of too many, or of this machine, from which a proxy may
// come.
var ErrWide = errors.New("too wide for a ban, or this machine")

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// The narrowest and the widest network of a ban, in bits. Who has an address of IPv6 has the 64 bits
// around it.
const (
	widestIPv4, widestIPv6 = 8, 16
	narrowestIPv6          = 64
)

// parseNetwork reads an address or a network.
func parseNetwork(text string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(text)
	if err != nil {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return p, err
		}
		a = a.Unmap().WithZone("")
		p = netip.PrefixFrom(a, a.BitLen())
	}
	if p.Addr().Is6() && p.Bits() > narrowestIPv6 {
		p = netip.PrefixFrom(p.Addr(), narrowestIPv6)
	}
	return p.Masked(), nil
}

// target returns the target of a ban as it is stored.
func target(text string) (string, error) {
	if !strings.ContainsAny(text, ".:/") {
		return text, nil // no name of an account has these
	}
	p, err := parseNetwork(text)
	switch a := p.Addr(); {
	case err != nil:
		return "", fmt.Errorf("%q is no address or network: %w", text, err)
	case slices.ContainsFunc(loopback, p.Overlaps), a.Is4() && p.Bits() < widestIPv4, a.Is6() && p.Bits() < widestIPv6:
		return "", fmt.Errorf("%s: %w", text, ErrWide)
	case p.IsSingleIP():
		return a.String(), nil
	}
	return p.String(), nil
}

// AddBan adds a ban to a database, in the place of one of the same target, and returns it as it was
// stored. A server on the database takes it up.
func AddBan(ctx context.Context, path string, b Ban) (Ban, error) {
	var err error
	if b.Target, err = target(b.Target); err != nil {
		return b, err
	}
	if strings.ContainsFunc(b.Reason, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return b, fmt.Errorf("the reason %q has characters that are not printed", b.Reason)
	}
	err = useTx(ctx, path, func(c *sql.Conn) error {
		if _, network := b.Network(); !network {
			bot := false
			err := c.QueryRowContext(ctx, `SELECT name, token IS NULL FROM accounts WHERE name = ?`, b.Target).
				Scan(&b.Target, &bot)
			switch {
			case errors.Is(err, sql.ErrNoRows):
				return fmt.Errorf("%s: %w", b.Target, ErrNoAccount)
			case err != nil:
				return err
			case bot:
				return fmt.Errorf("%s: %w", b.Target, ErrServersBot)
			}
		}
		until := int64(0)
		if !b.Until.IsZero() {
			until = b.Until.UnixMilli()
		}
		_, err := c.ExecContext(ctx, `INSERT OR REPLACE INTO bans (target, chat, until, reason, made)
			VALUES (?, ?, ?, ?, ?)`,
			b.Target, b.Chat, until, b.Reason, b.Made.UnixMilli())
		return errors.Join(err, addOrder(ctx, c, Order{Kind: ReadBans, Target: b.Target}))
	})
	return b, err
}

// ErrNoBan is the error of a target without a ban.
var ErrNoBan = errors.New("there is no ban of it")

// RemoveBan ends a ban.
func RemoveBan(ctx context.Context, path, text string) error {
	stored, err := target(text)
	if err != nil {
		return err
	}
	return useTx(ctx, path, func(c *sql.Conn) error {
		done, err := c.ExecContext(ctx, `DELETE FROM bans WHERE target = ?`, stored)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); n == 0 {
			return errors.Join(err, fmt.Errorf("%s: %w", text, ErrNoBan))
		}
		return addOrder(ctx, c, Order{Kind: ReadBans, Target: stored})
	})
}

// Bans lists the bans of the database at a path that are not over at a time, oldest first.
func Bans(ctx context.Context, path string, at time.Time) (bans []Ban, err error) {
	err = use(path, func(db *sql.DB) error {
		bans, err = BansIn(ctx, db, at)
		return err
	})
	return bans, err
}

// BansIn is Bans of an open database.
func BansIn(ctx context.Context, db *sql.DB, at time.Time) (bans []Ban, err error) {
	err = Each(ctx, db, `SELECT target, chat, until, reason, made FROM bans ORDER BY made, target`, nil,
		func(rows *sql.Rows) error {
			var b Ban
			var until, made int64
			err := rows.Scan(&b.Target, &b.Chat, &until, &b.Reason, &made)
			if b.Made = time.UnixMilli(made).UTC(); until != 0 {
				b.Until = time.UnixMilli(until).UTC()
			}
			if err == nil && !b.Over(at) {
				bans = append(bans, b)
			}
			return err
		})
	return bans, err
}
