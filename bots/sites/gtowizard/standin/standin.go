// Package standin has a server that speaks the HTTP interface of GTO Wizard Benchmark, as package gtowizard describes
// it, for tests and to try a bot without a key. It was written from that description, shares no code with the client,
// and refuses what the site refuses. Its opponent is any player, and its AIVAT score a tenth of the winnings: it takes
// no luck away.
package standin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// Server deals hands of heads-up no-limit hold'em to one key. It is an [http.Handler].
type Server struct {
	Game *acpc.Game
	Bot  acpc.Player // who plays against the client
	Key  string
	// First is the number of the first hand, 0 for 3,000,000. The cards follow from it.
	First int64
	// RoundEnds also ends the rounds that are dealt out without actions with a _.
	RoundEnds bool

	mu       sync.Mutex
	hands    map[int64]*Hand
	shuffler *acpc.Shuffler
}

// Start starts a server on this machine, whose hands have other numbers and cards each time.
func Start(game *acpc.Game, bot acpc.Player, key string) (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: &Server{Game: game, Bot: bot, Key: key, First: 1 + rand.Int64N(1<<31)}}
	go func() { _ = server.Serve(listener) }() // until it is stopped
	return "http://" + listener.Addr().String(), func() { server.Close() }, nil
}

// Hand is a hand as the server keeps it.
type Hand struct {
	State    acpc.State
	Position int // the client's
	History  []string
	Actions  int // taken by the client
	before   int32
}

// maxOpen is how many hands may be open.
const maxOpen = 20

// refusal is the error of a request that is refused.
type refusal struct {
	status int
	detail string
}

func (r *refusal) Error() string { return fmt.Sprint(r.status, " ", r.detail) }

// Hands returns the hands that are over and those that are not.
func (s *Server) Hands() (over, open map[int64]*Hand) {
	s.mu.Lock()
	defer s.mu.Unlock()
	over, open = map[int64]*Hand{}, map[int64]*Hand{}
	for id, h := range s.hands {
		if h.State.Finished() {
			over[id] = h
		} else {
			open[id] = h
		}
	}
	return over, open
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, err := s.fulfil(r)
	if refused, ok := err.(*refusal); ok {
		w.WriteHeader(refused.status)
		answer = map[string]any{"detail": refused.detail}
	} else if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}

// fulfil does what a request asks for.
func (s *Server) fulfil(r *http.Request) (any, error) {
	agent := r.UserAgent()
	if agent == "" || strings.HasPrefix(agent, "Go-http-client") || strings.HasPrefix(agent, "Python-urllib") {
		return nil, &refusal{http.StatusForbidden, "error code: 1010"}
	}
	if r.Header.Get("X-API-Key") != s.Key {
		return nil, &refusal{http.StatusUnauthorized, "Invalid API Key"}
	}
	switch path := r.URL.Path; {
	case r.Method == http.MethodPost && path == "/hands":
		return s.begin(r)
	case r.Method == http.MethodPost && strings.HasPrefix(path, "/hands/") && strings.HasSuffix(path, "/act"):
		return s.act(r, strings.TrimSuffix(strings.TrimPrefix(path, "/hands/"), "/act"))
	case r.Method != http.MethodGet || path != "/hands/in-progress" && path != "/results":
		return nil, &refusal{http.StatusNotFound, "Not Found"}
	case r.URL.Query().Get("game_name") != gameName:
		return nil, &refusal{http.StatusUnprocessableEntity, "game_name: Field required"}
	case path == "/results":
		return s.results(), nil
	}
	list := []any{}
	for _, id := range slices.Sorted(maps.Keys(s.hands)) {
		if !s.hands[id].State.Finished() {
			list = append(list, s.describe(id))
		}
	}
	return list, nil
}

const gameName = "HUNL 200BB"

// decode reads the JSON object of a request, which has no other keys.
func decode(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil || r.Header.Get("Content-Type") != "application/json" {
		return &refusal{http.StatusUnprocessableEntity, fmt.Sprint("body: ", err)}
	}
	return nil
}

func (s *Server) begin(r *http.Request) (any, error) {
	var request struct {
		Game string `json:"game_name"`
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	if request.Game != gameName {
		return nil, &refusal{http.StatusNotFound, "Game not found"}
	}
	open := 0
	for _, h := range s.hands {
		if !h.State.Finished() {
			open++
		}
	}
	if open >= maxOpen {
		return nil, &refusal{http.StatusConflict, fmt.Sprintf(
			"Cannot start a new hand. The maximum number of concurrent hands allowed is %d.", maxOpen)}
	}
	if s.hands == nil {
		s.hands, s.shuffler = map[int64]*Hand{}, acpc.NewShuffler(uint32(cmp.Or(s.First, 1)))
	}
	id := cmp.Or(s.First, 3_000_000) + int64(len(s.hands))
	h := &Hand{State: s.Game.NewState(uint32(id)), Position: len(s.hands) % 2}
	s.shuffler.Deal(&h.State)
	s.hands[id] = h
	return s.goOn(r.Context(), id)
}

func (s *Server) act(r *http.Request, name string) (any, error) {
	id, err := strconv.ParseInt(name, 10, 64)
	h := s.hands[id]
	switch {
	case err != nil || h == nil:
		return nil, &refusal{http.StatusNotFound, "Hand not found"}
	case h.State.Finished():
		return nil, &refusal{http.StatusConflict, "Hand is over"}
	}
	var request struct {
		Action string
		Amount json.RawMessage
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	given := len(request.Amount) > 0 && !bytes.Equal(request.Amount, []byte("null"))
	amount, err := strconv.ParseInt(string(request.Amount), 10, 32)
	switch {
	case len(request.Action) != 1 || !strings.Contains("fkcb", request.Action):
		return nil, &refusal{http.StatusUnprocessableEntity, "action: Input should be 'f', 'k', 'c' or 'b'"}
	case request.Action == "b" && (!given || err != nil):
		return nil, &refusal{http.StatusUnprocessableEntity, "Amount is required for action 'b'"}
	case request.Action != "b" && given:
		return nil, &refusal{http.StatusUnprocessableEntity, "amount: only of action 'b'"}
	case !slices.Contains(h.legal(), request.Action):
		return nil, &refusal{http.StatusBadRequest, "Illegal action " + request.Action}
	}
	a := acpc.Action{Type: acpc.Call}
	switch request.Action {
	case "f":
		a.Type = acpc.Fold
	case "b":
		if low, high := h.bounds(); amount < int64(low) || amount > int64(high) {
			return nil, &refusal{http.StatusBadRequest, fmt.Sprintf("Amount %d is not in [%d, %d]", amount, low, high)}
		}
		a = acpc.Action{Type: acpc.Raise, Size: int32(amount) + h.before}
	}
	h.Actions++
	s.play(h, a)
	return s.goOn(r.Context(), id)
}

// legal returns the actions that the client may take.
func (h *Hand) legal() []string {
	all := []string{"k"}
	if h.State.CanFold() {
		all = []string{"f", "c"}
	}
	if _, _, ok := h.State.RaiseBounds(); ok {
		all = append(all, "b")
	}
	return all
}

// bounds returns those of a bet, in chips of the round.
func (h *Hand) bounds() (low, high int32) {
	low, high, _ = h.State.RaiseBounds()
	return low - h.before, high - h.before
}

// goOn lets the bot act until it is the client's turn, and describes the hand.
func (s *Server) goOn(ctx context.Context, id int64) (any, error) {
	h := s.hands[id]
	for !h.State.Finished() && h.State.Actor() != h.Position {
		seen := h.State.View(h.State.Actor())
		a, err := s.Bot.Act(ctx, &seen)
		if err != nil {
			return nil, err
		}
		s.play(h, a)
	}
	return s.describe(id), nil
}

// play plays an action and writes it.
func (s *Server) play(h *Hand, a acpc.Action) {
	text := "k"
	switch {
	case a.Type == acpc.Raise:
		text = fmt.Sprint("b", a.Size-h.before)
	case a.Type == acpc.Fold:
		text = "f"
	case h.State.CanFold():
		text = "c"
	}
	h.History = append(h.History, text)
	round := h.State.Round()
	h.State.Apply(a)
	for ; round < h.State.Round() && (s.RoundEnds || !h.State.Finished()); round++ {
		h.History = append(h.History, "_")
		h.before = h.State.MaxSpent()
	}
}

// describe returns a hand as the client sees it.
func (s *Server) describe(id int64) map[string]any {
	h := s.hands[id]
	over := h.State.Finished()
	common := float64(2 * h.before)
	state := map[string]any{
		"street":     []string{"preflop", "flop", "turn", "river"}[h.State.Round()],
		"common_pot": common, "total_pot": float64(h.State.Spent(0) + h.State.Spent(1)),
		"board_cards": text(h.State.Board[:s.Game.BoardCards(h.State.Round())]), "is_hand_over": over,
		"legal_actions": []string{}, "raise_range": nil, "action_history": append([]string{}, h.History...),
		"has_gto_wizard_folded": over && h.State.Folded(1-h.Position), "winnings": nil, "aivat_score": nil,
	}
	players := []any{}
	for _, p := range []int{h.Position, 1 - h.Position} {
		one := map[string]any{"name": "Tester", "position": []string{"BB", "SB"}[p], "hole_cards": nil,
			"stack": float64(s.Game.Stack[p] - h.State.Spent(p))}
		if p != h.Position {
			one["name"] = "GTO Wizard"
		}
		if p == h.Position || over {
			one["hole_cards"] = text(h.State.Holes[p][:2])
		}
		players = append(players, one)
	}
	state["players"] = players
	if over {
		won := h.State.Value(h.Position)
		state["winnings"], state["aivat_score"] = won, won/10
	} else {
		legal := h.legal()
		state["legal_actions"] = legal
		if slices.Contains(legal, "b") {
			low, high := h.bounds()
			state["raise_range"] = map[string]any{"min": float64(low), "max": float64(high)}
		}
	}
	return map[string]any{"hand_id": id, "game_state": state, "game": map[string]any{
		"game_id": 1, "game_name": gameName, "game_format": "HUNL", "starting_stack": 20000.0,
		"blinds": []float64{100, 50}, "stack_reset_per_hand": true,
	}}
}

// results sums the hands that are over.
func (s *Server) results() map[string]any {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, h := range s.hands {
		if h.State.Finished() {
			won := h.State.Value(h.Position)
			n, sum, squares = n+1, sum+won, squares+won*won
		}
	}
	mean, deviation := 0.0, 0.0
	if n > 0 {
		mean = sum / n
		deviation = math.Sqrt(max(0, squares/n-mean*mean) / n)
	}
	return map[string]any{"bot_name": "Tester", "total_hands": int(n), "bb_per_100": mean,
		"aivat_score_bb_per_100": mean / 10, "aivat_std_bb_per_100": deviation / 10}
}

func text(cards []card.Card) (all string) {
	for _, c := range cards {
		all += c.String()
	}
	return all
}
