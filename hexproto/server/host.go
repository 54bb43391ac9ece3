package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// hostInterval is the time between two looks for what the host wants.
const hostInterval = time.Second

// followHost takes up tokens that were changed after a row, and carries out orders, until the server
// ends. It looks at each change of a token twice: meanwhile a connection may have been admitted by a
// token that was read before the change.
func (s *Server) followHost(token int64) {
	before, order := token, int64(0)
	for range parallel.Every(s.ctx.Done(), hostInterval) {
		changes, newest, err := database.TokenChanges(s.ctx, s.store.db, before)
		if err == nil {
			before, token = token, newest
			err = s.changeTokens(changes)
		}
		if err == nil {
			order, err = s.carryOut(order)
		}
		if err != nil && s.ctx.Err() == nil {
			s.log.Error("looking for what the host wants", "error", err)
		}
	}
}

// changeTokens takes up changes of tokens.
func (s *Server) changeTokens(changes []database.TokenChange) error {
	for _, c := range changes {
		if err := s.readAccounts(`WHERE name = ?`, c.Name); err != nil { // it may be new
			return err
		}
		s.locked(func(tx *transaction) { tx.accounts.tokenChanged(tx, c) })
	}
	return nil
}

// carryOut carries out the orders after a row, and returns the last row.
func (s *Server) carryOut(after int64) (last int64, err error) {
	orders, err := database.Orders(s.ctx, s.store.db, after)
	for _, o := range orders {
		carry := func(*transaction) {}
		var err error
		switch o.Kind {
		case database.ReadBans:
			err = s.readBans()
		case database.LeaveGames:
			s.leaveGames(o.Target)
		case database.AnnulGame:
			carry, err = s.annul(o.Target)
		case database.EndGame:
			if !s.inMemory(o.Target) {
				carry, err = s.endUnheard(o.Target)
			}
		}
		if err != nil {
			return after, err
		}
		game := "" // a game that the order ends, so that it must not sleep
		if o.Kind == database.EndGame {
			game = o.Target
		}
		done := s.awake(nil, withID(game), func(tx *transaction) {
			if o.Kind == database.ListOnline && o.Argument == "" {
				tx.write(answerOrder, tx.lobby.online(), o.Row) // who asked removes the order
				return
			}
			tx.write(database.OrderDone, o.Row)
			carry(tx)
			switch o.Kind {
			case database.EndGame:
				s.endGame(tx, o.Target, o.Argument)
			case database.LeaveGames:
				s.leaveChallenges(tx, o.Target)
			case database.ReadBans:
				s.log.Info("the host has changed the bans", "of", o.Target)
				s.closeBanned(tx)
			case database.Kick:
				s.kick(tx, o.Target)
			case database.ResetRatings:
				s.reset(tx, o.Target)
			}
		})
		if !done && s.ctx.Err() == nil { // others must not wait for it
			s.log.Error("an order of the host waits for the next start", "order", o.Kind, "target", o.Target)
		}
		after = o.Row
	}
	return after, err
}

// endGame ends a game for the host: its player loser loses it or, if that is "", it does not count.
func (s *Server) endGame(tx *transaction, id, loser string) {
	t := tx.games.tables[id]
	if t == nil || t.result != nil {
		return
	}
	tx.game = t.ref()
	if seat := t.seat(tx.accounts.byName[key(loser)]); seat >= 0 {
		t.takeOut(tx, seat)
	} else {
		t.end(tx, t.aborted(endedByHost))
	}
	s.log.Info("the host ended a game", "game", id, "loser", loser, "result", t.result)
}

// endUnheard returns what ends a game for the host of which this server has no rules, so that only the database has it.
func (s *Server) endUnheard(id string) (end func(*transaction), err error) {
	stored, err := s.readGames(`WHERE id = ? AND result IS NULL`, id)
	return func(tx *transaction) {
		if len(stored) > 0 && stored[0].rules == nil {
			stored[0].end(tx, stored[0].aborted(endedByHost))
		}
	}, err
}

const endedByHost = "the host ended the game"

// takeOut makes a seat leave a game for the host, which it loses if the game counts by now.
func (t *table) takeOut(tx *transaction, seat int) {
	if slices.Contains(t.clocks.begun, false) {
		t.end(tx, t.aborted(endedByHost))
		return
	}
	t.leave(tx, seat, wire.Resigned)
}

// leaveGames takes an account, whose token was revoked, out of its games.
func (s *Server) leaveGames(name string) {
	a := s.accountOf(name)
	for _, id := range parallel.Get(&s.state, func(st *state) []string { return st.games.of(a) }) {
		done := s.awake(nil, withID(id), func(tx *transaction) {
			if t, seat, over := tx.games.ofPlayer(tx, a, id); over == nil {
				s.log.Info("an account has left a game for the host", "game", id, "account", a.name)
				t.takeOut(tx, seat)
			}
		})
		if !done && s.ctx.Err() == nil {
			s.log.Error("an account has not left a game for the host", "game", id, "account", name)
		}
	}
}

// leaveChallenges takes an account, whose token was revoked, out of its challenges.
func (s *Server) leaveChallenges(tx *transaction, name string) {
	a := tx.accounts.named(name)
	for _, ch := range tx.lobby.challenges {
		switch {
		case ch.from == a || ch.to == a:
			tx.lobby.close(tx, ch, &wire.Closed{Why: "cancelled"})
		case ch.hasJoined(a):
			tx.lobby.leave(tx, ch, a)
		}
	}
}

// bans are the accounts and networks that the host keeps out. They never change.
type bans struct {
	accounts map[string]database.Ban // bans of accounts by key
	networks []networkBan
}

type networkBan struct {
	netip.Prefix
	database.Ban
}

// readBans reads the bans, for connections from now on.
func (s *Server) readBans() error {
	all, err := database.BansIn(s.ctx, s.store.db, clock())
	if err != nil {
		return err
	}
	b := &bans{accounts: map[string]database.Ban{}}
	for _, ban := range all {
		if network, ok := ban.Network(); ok {
			b.networks = append(b.networks, networkBan{network, ban})
		} else {
			b.accounts[key(ban.Target)] = ban
		}
	}
	s.bans.Store(b)
	return nil
}

// banned returns the ban of an account, which may be nil, or of a client's address: one from chat if
// chat is set, else one from the server.
func (s *Server) banned(a *account, client string, chat bool) (ban database.Ban, ok bool) {
	current := s.bans.Load()
	holds := func(b database.Ban) bool { return b.Chat == chat && !b.Over(clock()) }
	if a != nil {
		if ban, ok = current.accounts[a.key]; ok && holds(ban) {
			return ban, true
		}
	}
	if len(current.networks) == 0 {
		return ban, false
	}
	first, _, _ := strings.Cut(client, "/") // a client of IPv6 is its network
	address, err := netip.ParseAddr(first)
	for _, n := range current.networks {
		if err == nil && n.Contains(address) && holds(n.Ban) {
			return n.Ban, true
		}
	}
	return ban, false
}

// maxBanRetry is when clients may ask again whether they are still banned.
const maxBanRetry = 24 * time.Hour

// banRetry returns after what time the client of a ban may try again.
func banRetry(b database.Ban) time.Duration {
	if b.Until.IsZero() {
		return maxBanRetry
	}
	return min(maxBanRetry, b.Until.Sub(clock()))
}

func errBanned(b database.Ban) *wire.Error {
	return later(banRetry(b), refusal(wire.Banned, "", "%s", b.Sentence()))
}

// closeBanned closes the connections of accounts and addresses that are banned.
func (s *Server) closeBanned(tx *transaction) {
	for c := range tx.lobby.conns {
		if ban, ok := s.banned(c.account, c.address, false); ok {
			c.shutOut(tx, errBanned(ban))
		}
	}
}

// turnAway answers the request of a banned account, which may be nil, or address.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, a *account, ban database.Ban) {
	s.noteRequest(r, a, wire.Banned)
	w.Header().Set("Retry-After", strconv.FormatInt(int64(banRetry(ban)/time.Second)+1, 10))
	http.Error(w, ban.Sentence(), http.StatusForbidden)
}

// noteRequest notes in the journal that a request was turned away. The account may be nil.
func (s *Server) noteRequest(r *http.Request, a *account, code string) {
	n := note{kind: turnedAway, code: code, address: s.client(r)}
	if a != nil {
		n.account = a.name
	}
	s.journal.note(n)
}
