package mit

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Engine plays matches by the contest's rules, to try bots. It is written from the description of the protocol.
type Engine struct {
	Rounds int
	Clock  time.Duration // what each bot has for the match
	Bounty bool          // the rules are those of 2025
	Seed   uint64
	// OnAsk, if not nil, is called with each question to the first bot: the legal answers, and all that it has been
	// sent in the round, but for its clock.
	OnAsk func(choices string, said []string)
}

// Side is how a match ended for a bot.
type Side struct {
	Chips        int           // won
	Rounds       int           // how many it finished
	Left         time.Duration // what its clock has
	Illegal      int           // answers that were replaced
	Misformatted int           // the same, because they could not be read
	Gone         error         // why it was not asked any more, nil if it was to the end
}

// seat is a bot at the engine.
type seat struct {
	Side
	conn    net.Conn
	answers *bufio.Reader
	news    []string // clauses that it has not been sent
	told    []string // all of the round before them
	onAsk   func(choices string, said []string)
	bounty  byte // a rank, 0 without
}

// engineGame is the game in the engine's chips.
var engineGame = func() *acpc.Game {
	g, err := acpc.ParseGame("mit", `GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 400 400
blind = 2 1
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
`)
	if err != nil {
		panic(err)
	}
	return g
}()

// bountyRounds is after how many rounds the bounties are drawn again.
const bountyRounds = 25

// Play plays a match between two bots that have connected, and leaves the connections open. The end of
// ctx ends it with its cause.
func (e *Engine) Play(ctx context.Context, bots [2]net.Conn) (sides [2]Side, err error) {
	defer context.AfterFunc(ctx, func() {
		for _, conn := range bots {
			conn.Close()
		}
	})()
	random := rand.New(rand.NewPCG(e.Seed, 0))
	var seats [2]*seat
	for i, conn := range bots {
		seats[i] = &seat{Side: Side{Left: e.Clock}, conn: conn, answers: bufio.NewReaderSize(conn, maxLine)}
	}
	seats[0].onAsk = e.OnAsk
	table := [2]*seat{seats[0], seats[1]} // their order is that of P0 and P1
	for i := 1; i <= e.Rounds && ctx.Err() == nil; i++ {
		if e.Bounty && i%bountyRounds == 1 {
			for _, s := range table {
				s.bounty = "23456789TJQKA"[random.IntN(13)]
			}
		}
		e.round(table, random)
		table[0], table[1] = table[1], table[0]
	}
	for i, s := range seats {
		fmt.Fprintln(s.conn, "Q") // one that has left does not read it
		sides[i] = s.Side
	}
	return sides, context.Cause(ctx)
}

// round plays a round. Position 1 of the game is the bot of P0.
func (e *Engine) round(table [2]*seat, random *rand.Rand) {
	state := engineGame.NewState(0)
	deck := engineGame.Deck()
	random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for i, s := range table {
		copy(state.Holes[1-i][:], deck[2*i:2*i+2])
		s.told = nil
		s.news = []string{"", "P" + strconv.Itoa(i), "H" + cards(deck[2*i:2*i+2])}
		if s.bounty != 0 {
			s.news = append(s.news, "G"+string(s.bounty))
		}
	}
	copy(state.Board[:], deck[4:])
	folder := -1 // the number of who has folded
	for round := 0; round < 4 && folder < 0; round++ {
		if n := engineGame.BoardCards(round); n > 0 {
			tell(table, "B"+cards(state.Board[:n]))
		}
		if state.Finished() { // all-in: both are still asked, and in 2025 they may fold
			for i := 1; i >= 0 && folder < 0; i-- {
				answer := table[i].ask(func(text string) bool { return text == "K" || text == "F" && e.Bounty }, "K")
				if tell(table, answer); answer == "F" {
					folder = i
				}
			}
			continue
		}
		for !state.Finished() && state.Round() == round && folder < 0 {
			i, instead := 1-state.Actor(), "K"
			if state.CanFold() {
				instead = "F"
			}
			answer := table[i].ask(func(text string) bool {
				_, ok := e.action(&state, text)
				return ok
			}, instead)
			tell(table, answer)
			if answer == "F" {
				folder = i
			} else {
				a, _ := e.action(&state, answer)
				state.Apply(a)
			}
		}
	}
	e.award(table, &state, folder)
}

// action returns the action that an answer is, and whether it is legal.
func (e *Engine) action(s *acpc.State, text string) (a acpc.Action, legal bool) {
	switch {
	case text == "F":
		return acpc.Action{}, s.CanFold() || e.Bounty // 2025 lets a player fold without a bet
	case text == "C" && s.CanFold(), text == "K" && !s.CanFold():
		return acpc.Action{Type: acpc.Call}, true
	case strings.HasPrefix(text, "R"):
		chips, err := strconv.ParseUint(text[1:], 10, 16)
		a = acpc.Action{Type: acpc.Raise, Size: s.MaxSpent() - s.InRound(s.MaxSpent()) + int32(chips)}
		return a, err == nil && s.Check(a) == nil
	}
	return a, false
}

// award ends a round: folder is the number of who has folded, or -1 at a showdown.
func (e *Engine) award(table [2]*seat, state *acpc.State, folder int) {
	won := 0.0 // what P0 wins
	if folder >= 0 {
		won = float64(2*folder-1) * float64(state.Spent(1-folder))
	} else {
		won = state.Value(1)
		for i, s := range table {
			s.news = append(s.news, "O"+cards(state.Holes[i][:2])) // those of the other: position 0 is P1
		}
	}
	hits := [2]byte{'0', '0'}
	if e.Bounty {
		dealt := cards(state.Board[:engineGame.BoardCards(state.Round())])
		if folder < 0 {
			dealt = cards(state.Board[:5])
		}
		for i, s := range table {
			if strings.IndexByte(dealt+cards(state.Holes[1-i][:2]), s.bounty) >= 0 {
				hits[i] = '1'
			}
		}
		half := float64(min(state.Spent(0), state.Spent(1)))
		switch hit := [2]bool{hits[0] == '1', hits[1] == '1'}; {
		case won > 0 && hit[0]:
			won = won*bountyRatio + bountyConstant
		case won < 0 && hit[1]:
			won = won*bountyRatio - bountyConstant
		case won == 0 && hit[0] != hit[1]:
			won = math.Copysign(half*(bountyRatio-1)/2+bountyConstant, float64(hits[0])-float64(hits[1]))
		}
		if won > 0 {
			hits[1] = '#'
		} else if won < 0 {
			hits[0] = '#'
		}
	}
	chips := int(math.Floor(won))
	for i, s := range table {
		awarded := (1 - 2*i) * chips
		s.Chips += awarded
		s.news = append(s.news, "D"+strconv.Itoa(awarded))
		if e.Bounty {
			s.news = append(s.news, "Y"+string(hits[i])+string(hits[1-i]))
		}
	}
	for _, s := range table {
		if s.ask(func(text string) bool { return text == "K" }, "K"); s.Gone == nil {
			s.Rounds++
		}
	}
}

// cards returns cards as the engine writes them.
func cards(all []card.Card) string {
	var texts []string
	for _, c := range all {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, ",")
}

// tell adds a clause to what both bots are to be sent.
func tell(table [2]*seat, clause string) {
	for _, s := range table {
		s.news = append(s.news, clause)
	}
}

// ask returns a bot's answer to what it has not been sent, or the one that is played instead.
func (s *seat) ask(legal func(string) bool, instead string) string {
	if s.Gone != nil {
		return instead
	}
	s.news[0] = fmt.Sprintf("T%.3f", s.Left.Seconds())
	if s.told = append(s.told, s.news[1:]...); s.onAsk != nil {
		s.onAsk(choices(legal), s.told)
	}
	start := time.Now()
	_ = s.conn.SetDeadline(start.Add(s.Left)) // if the connection is closed, the write fails
	var line []byte
	_, err := io.WriteString(s.conn, strings.Join(s.news, " ")+"\n")
	if err == nil {
		line, err = s.answers.ReadSlice('\n') // a longer line than any ends the bot's match
	}
	s.news = s.news[:1]
	s.Left -= time.Since(start)
	switch text := strings.TrimSpace(string(line)); {
	case err != nil || s.Left <= 0:
		s.Left, s.Gone = 0, cmp.Or(err, os.ErrDeadlineExceeded)
	case text == "" || !strings.ContainsRune("FCKR", rune(text[0])):
		s.Misformatted++
	case legal(text):
		return text
	default:
		s.Illegal++
	}
	return instead
}

// choices returns the answers that are legal, as in FCR4:400 with the bounds of a raise.
func choices(legal func(string) bool) (all string) {
	for _, answer := range []string{"F", "C", "K"} {
		if legal(answer) {
			all += answer
		}
	}
	least, most := 0, 0
	for chips := stack; chips > 0; chips-- {
		if legal("R" + strconv.Itoa(chips)) {
			least, most = chips, max(most, chips)
		}
	}
	if most > 0 {
		all += fmt.Sprintf("R%d:%d", least, most)
	}
	return all
}
