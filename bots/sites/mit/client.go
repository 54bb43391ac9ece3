package mit

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/bots/sites"
)

// Game is the name of the shipped game that is the contest's in other chips.
const Game = "holdem-nolimit-2p"

// Rounds is how many rounds a match has.
const Rounds = 1000

// Client plays a match.
type Client struct {
	Game   *acpc.Game // as CheckGame wants it
	Player acpc.Player
	Clock  *Clock // is told what the engine says of it; may be nil
	// Log keeps the hands of the rounds. It lacks rounds that cannot be told: those of OnFault, and those in which a
	// player folded without a bet, as the engine of 2025 lets it.
	Log sites.Log
	// OnRound, if not nil, is called with the chips of the engine that the player was awarded for a round.
	OnRound func(awarded int)
	// OnFault, if not nil, is called with the first fault of a round: the engine's, or an answer that it replaced.
	// If the round cannot be followed any more, the client checks and folds to its end.
	OnFault func(round int, fault error)

	sites.Winnings // chips are those of the game
}

// Names of the players in logs.
const (
	OwnName      = "gamebots"
	OpponentName = "opponent"
)

// CheckGame returns an error unless the engine's game is a game in other chips.
func CheckGame(g *acpc.Game) error {
	small, big := int32(0), g.MaxBlind()
	if g.NumPlayers == 2 {
		small = g.Blind[g.FirstPlayer[0]]
	}
	if g.Betting != acpc.NoLimit || g.NumPlayers != 2 || g.NumRounds != 4 || g.NumHoleCards != 2 || g.NumRanks != 13 ||
		g.NumSuits != 4 || g.BoardCards(3) != 5 || small == 0 || big != 2*small ||
		g.Stack[0] != stack*small || g.Stack[1] != stack*small {
		return fmt.Errorf("the game of MIT Pokerbots is heads-up no-limit hold'em with 200 big blinds, not %s", g.Name)
	}
	return nil
}

// stack is the stack of a player, in chips of the engine. The small blind is one.
const stack = 400

// maxLine is more bytes than any line takes.
const maxLine = 1 << 14

// VariantError is the error of an engine of a year whose rules are others. docs/mit.md has them.
type VariantError struct{ Year int }

func (e *VariantError) Error() string {
	return fmt.Sprintf("the game of MIT Pokerbots %d has other rules, and is not played here", e.Year)
}

// match is a match in play.
type match struct {
	*Client
	unit     int32 // chips of the game for one of the engine
	played   int   // rounds that were begun
	position int   // the player's, as the last P says
	round    *round
	fault    error // why the round is lost, or nil
	awarded  int   // chips of the engine for the last round
	ending   bool  // an award was in this line
	over     bool  // the round
	done     bool  // the match
	failed   error // the log is not written
}

// Play plays a match until the engine ends it, and closes conn. The end of ctx ends it with its cause.
func (c *Client) Play(ctx context.Context, conn net.Conn) (err error) {
	defer func() { err = errors.Join(err, c.Log.Close()) }()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	defer conn.Close()
	m := match{Client: c, unit: c.Game.MaxBlind() / 2}
	lines := bufio.NewReaderSize(conn, maxLine)
	for !m.done {
		line, err := lines.ReadSlice('\n')
		arrived := time.Now()
		if err == nil {
			err = cmp.Or(m.receive(strings.Fields(string(line)), arrived), m.failed)
		}
		if err == nil && !m.done {
			var answer string
			if answer, err = m.answer(ctx); err == nil {
				_, err = io.WriteString(conn, answer+"\n") // one packet, or the engine waits for the next
			}
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return fmt.Errorf("the engine left in round %d: %w", m.played, io.ErrUnexpectedEOF)
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("round %d: a line of more than %d bytes", m.played, maxLine)
		default:
			return fmt.Errorf("round %d: %w", m.played, err)
		}
	}
	return nil
}

// receive takes the clauses of a line. An error ends the match: the engine is not one whose game is known.
func (m *match) receive(clauses []string, arrived time.Time) error {
	for _, clause := range clauses {
		kind, text := clause[0], clause[1:]
		switch {
		case kind == 'T':
			seconds, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(seconds) || math.Abs(seconds) > 1e6 {
				return fmt.Errorf("clause %.100q: not the seconds of a clock", clause)
			}
			if m.Clock != nil {
				m.Clock.set(time.Duration(seconds*float64(time.Second)), arrived)
			}
		case kind == 'Q':
			m.done = true
		case strings.Contains(clause, ";") || '0' <= kind && kind <= '9':
			return &VariantError{2021}
		case kind == 'U':
			return &VariantError{2022}
		case kind == 'B' && strings.Count(text, ",") > 4:
			return &VariantError{2023}
		case kind == 'A' || kind == 'N':
			return &VariantError{2024}
		case kind == 'H' && strings.Count(text, ",") == 2:
			return &VariantError{2026}
		case m.played == 0 && kind != 'P':
			return fmt.Errorf("clause %.100q: is this the port of an engine of MIT Pokerbots?", clause)
		case kind == 'P':
			m.roundOver()
			if m.played++; m.Clock != nil {
				m.Clock.round = m.played
			}
			m.over, m.fault, m.round = false, nil, nil
			if text != "0" && text != "1" {
				m.lose(fmt.Errorf("clause %.100q: want P0 or P1", clause))
			}
			m.position = int(m.Game.FirstPlayer[0])
			if text == "1" {
				m.position = 1 - m.position
			}
		default:
			if err := m.clause(kind, text); err != nil {
				m.lose(fmt.Errorf("clause %.100q: %w", clause, err))
			}
			m.ending = m.ending || kind == 'D' && !m.over
		}
	}
	m.roundOver()
	return nil
}

// clause takes a clause of a round, if the round can be followed.
func (m *match) clause(kind byte, text string) (err error) {
	if kind == 'D' {
		if m.awarded, err = strconv.Atoi(text); err != nil {
			return err
		}
	}
	switch {
	case m.fault != nil:
		//lint:ignore nilerr the fault of the round was reported
		return nil
	case kind == 'H' && m.round == nil:
		m.round, err = newRound(m.Game, uint32(m.played-1), m.position, m.unit, text)
		return err
	case m.round == nil || kind == 'H':
		return errors.New("the round has not begun, or has its cards")
	case kind == 'D':
		return nil
	}
	return m.round.clause(kind, text)
}

// lose reports a fault of a round, which cannot be followed any more.
func (m *match) lose(fault error) {
	if m.fault == nil && m.OnFault != nil {
		m.OnFault(m.played, fault)
	}
	m.fault = fault
}

// answer returns the answer to a line.
func (m *match) answer(ctx context.Context) (string, error) {
	r := m.round
	switch {
	case m.over || m.fault != nil || r != nil && (r.Finished() || r.givenUp):
		//lint:ignore nilerr the fault of the round was reported
		return "K", nil
	case r == nil || r.Actor() != m.position:
		m.lose(errors.New("the engine asks for an action out of turn"))
		return "K", nil
	}
	seen := r.View(m.position)
	action, err := m.Player.Act(ctx, &seen)
	if err == nil {
		err = r.Check(action)
	}
	if err != nil {
		return "", err
	}
	r.sent = r.notation(action)
	return r.sent, nil
}

// roundOver reports a round that ends.
func (m *match) roundOver() {
	if !m.ending {
		return
	}
	m.ending, m.over = false, true
	if m.fault == nil {
		if err := m.round.check(m.awarded); err != nil {
			m.lose(err)
		}
	}
	m.Won.Add(float64(m.awarded) * float64(m.unit))
	if m.fault == nil && !m.round.givenUp {
		r := m.round
		m.failed = m.Log.Add(sites.Record(&r.State, r.position, !r.shown, OwnName, OpponentName))
	}
	if m.OnRound != nil {
		m.OnRound(m.awarded)
	}
}
