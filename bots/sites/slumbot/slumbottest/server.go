// Package slumbottest has a server for tests that speaks the HTTP interface of Slumbot's site,
// as package slumbot describes it. It was written from that description and shares no code
// with the client.
package slumbottest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Server deals hands of heads-up no-limit hold'em. It is an [http.Handler].
type Server struct {
	Game *acpc.Game
	Bot  acpc.Player // who plays against the client
	// Answer, if not nil, may change the n-th answer, from 1, or write another: it reports
	// whether it did.
	Answer func(w http.ResponseWriter, n int, answer map[string]any) (written bool)

	mu       sync.Mutex
	answers  int
	sessions map[string]*session
	shuffler *acpc.Shuffler
}

// session is the hands of a client.
type session struct {
	token    string
	hands    int
	hand     acpc.State
	action   string // action of the hand so far
	before   int32  // the chips that each player put in before this round
	position int    // the client's
	total    float64
}

// ServeHTTP answers the two calls.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var request struct{ Token, Incr string }
	answer := map[string]any{}
	var err error
	switch e := json.NewDecoder(r.Body).Decode(&request); {
	case r.Method != http.MethodPost || e != nil:
		err = fmt.Errorf("no JSON object was posted")
	case r.URL.Path == "/api/new_hand":
		answer, err = s.newHand(r.Context(), request.Token)
	case r.URL.Path == "/api/act":
		answer, err = s.act(r.Context(), request.Token, request.Incr)
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		answer = map[string]any{"error_msg": err.Error()}
	}
	s.answers++
	if s.Answer != nil && s.Answer(w, s.answers, answer) {
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// Total returns the chips that clients have won in finished hands, and how many these are.
func (s *Server) Total() (chips float64, hands int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		chips += one.total
		hands += one.hands
	}
	return chips, hands
}

func (s *Server) newHand(ctx context.Context, token string) (map[string]any, error) {
	if s.sessions == nil {
		s.sessions, s.shuffler = map[string]*session{}, acpc.NewShuffler(1)
	}
	one := s.sessions[token]
	switch {
	case one == nil && token != "":
		return nil, fmt.Errorf("unknown token")
	case one == nil:
		one = &session{token: fmt.Sprint("session-", len(s.sessions)+1), position: 1}
		s.sessions[one.token] = one
	}
	one.position = 1 - one.position
	one.hand, one.action, one.before = s.Game.NewState(0), "", 0
	s.shuffler.Deal(&one.hand)
	return s.goOn(ctx, one)
}

func (s *Server) act(ctx context.Context, token, incr string) (map[string]any, error) {
	one := s.sessions[token]
	if one == nil || one.hand.Finished() {
		return nil, fmt.Errorf("no hand in progress")
	}
	var a acpc.Action
	facing := one.hand.MaxSpent() > one.hand.Spent(one.position)
	switch {
	case incr == "f" && facing:
		a.Type = acpc.Fold
	case incr == "c" && facing, incr == "k" && !facing:
		a.Type = acpc.Call
	case strings.HasPrefix(incr, "b"):
		chips, err := strconv.Atoi(incr[1:])
		if err != nil {
			return nil, err
		}
		a = acpc.Action{Type: acpc.Raise, Size: int32(chips) + one.before}
	default:
		return nil, fmt.Errorf("illegal action %q", incr)
	}
	if err := one.hand.Check(a); err != nil {
		return nil, err
	}
	one.play(a)
	return s.goOn(ctx, one)
}

// goOn lets the bot act until it is the client's turn, and describes the hand.
func (s *Server) goOn(ctx context.Context, one *session) (map[string]any, error) {
	h := &one.hand
	for !h.Finished() && h.Actor() != one.position {
		seen := h.View(h.Actor())
		a, err := s.Bot.Act(ctx, &seen)
		if err != nil {
			return nil, err
		}
		one.play(a)
	}
	answer := map[string]any{
		"token": one.token, "action": one.action, "client_pos": one.position,
		"hole_cards": texts(h.Holes[one.position][:2]), "board": texts(h.Board[:s.Game.BoardCards(h.Round())]),
	}
	if h.Finished() {
		won := h.Value(one.position)
		one.total += won
		one.hands++
		answer["winnings"], answer["bot_hole_cards"] = won, texts(h.Holes[1-one.position][:2])
		answer["session_num_hands"], answer["session_total"] = one.hands, one.total
	}
	return answer, nil
}

// play plays an action and writes it: k, c, f or b with the chips of the round, and a slash
// at the end of a round, also where nobody can act any more.
func (o *session) play(a acpc.Action) {
	h := &o.hand
	switch {
	case a.Type == acpc.Raise:
		o.action += fmt.Sprint("b", a.Size-o.before)
	case a.Type == acpc.Fold:
		o.action += "f"
	case h.CanFold():
		o.action += "c"
	default:
		o.action += "k"
	}
	round := h.Round()
	h.Apply(a)
	for ; round < h.Round(); round++ {
		o.action += "/"
		o.before = h.MaxSpent()
	}
}

func texts(cards []card.Card) []string {
	all := []string{}
	for _, c := range cards {
		all = append(all, c.String())
	}
	return all
}
