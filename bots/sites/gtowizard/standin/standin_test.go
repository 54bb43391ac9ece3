package standin

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gamebots/bots/poker"
	"gamebots/configs"
)

// The server refuses what the site refuses. The requests are made in this order; the first hand is number 3000000, and
// the client is the big blind in it.
func TestRefusals(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	bot, err := poker.NewOpponent("call", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Game: g, Bot: bot, Key: "right"}
	const (
		newHand = `{"game_name": "HUNL 200BB"}`
		act     = "/hands/3000000/act"
	)
	for _, c := range []struct {
		name, method, path, body, key, agent string
		status                               int
		detail                               string
	}{
		{"no User-Agent", "POST", "/hands", newHand, "right", "", 403, "1010"},
		{"usual User-Agent", "POST", "/hands", newHand, "right", "Go-http-client/2.0", 403, "1010"},
		{"no key", "POST", "/hands", newHand, "", "test", 401, "Invalid API Key"},
		{"wrong key", "POST", "/hands", newHand, "wrong", "test", 401, "Invalid API Key"},
		{"no JSON", "POST", "/hands", "game", "right", "test", 422, "body"},
		{"other game", "POST", "/hands", `{"game_name": "HUNL"}`, "right", "test", 404, "Game"},
		{"unknown key", "POST", "/hands", `{"game_name": "HUNL 200BB", "x": 1}`, "right", "test", 422, "x"},
		{"no game", "GET", "/hands/in-progress", "", "right", "test", 422, "game_name"},
		{"no path", "GET", "/hands/3000000", "", "right", "test", 404, "Not Found"},
		{"no hand", "POST", act, `{"action": "c"}`, "right", "test", 404, "Hand not found"},
		{"new hand", "POST", "/hands", newHand, "right", "test", 200, `"action_history":["c"]`},
		{"unknown action", "POST", act, `{"action": "r", "amount": 300}`, "right", "test", 422, "action"},
		{"call instead of check", "POST", act, `{"action": "c"}`, "right", "test", 400, "Illegal action c"},
		{"fold without a bet", "POST", act, `{"action": "f"}`, "right", "test", 400, "Illegal action f"},
		{"no amount", "POST", act, `{"action": "b", "amount": null}`, "right", "test", 422, "required"},
		{"half a chip", "POST", act, `{"action": "b", "amount": 300.5}`, "right", "test", 422, "required"},
		{"amount of a check", "POST", act, `{"action": "k", "amount": 0}`, "right", "test", 422, "only"},
		{"too little", "POST", act, `{"action": "b", "amount": 199}`, "right", "test", 400, "[200, 20000]"},
		{"too much", "POST", act, `{"action": "b", "amount": 20001}`, "right", "test", 400, "[200, 20000]"},
		{"bet", "POST", act, `{"action": "b", "amount": 200}`, "right", "test", 200, `["c","b200","c","_"]`},
		{"total of the hand", "POST", act, `{"action": "b", "amount": 20000}`, "right", "test", 400, "[100, 19800]"},
		{"all-in", "POST", act, `{"action": "b", "amount": 19800}`, "right", "test", 200, `"is_hand_over":true`},
		{"over", "POST", act, `{"action": "k", "amount": null}`, "right", "test", 409, "over"},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("X-API-Key", c.key)
		r.Header.Set("User-Agent", c.agent)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.detail) {
			t.Errorf("%s: status %d, %s", c.name, w.Code, w.Body)
		}
	}
	for i := range 21 {
		r := httptest.NewRequest(http.MethodPost, "/hands", strings.NewReader(newHand))
		r.Header = http.Header{"X-Api-Key": {"right"}, "User-Agent": {"test"}, "Content-Type": {"application/json"}}
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); (w.Code == http.StatusConflict) != (i == 20) {
			t.Errorf("open hand %d: status %d, %s", i+1, w.Code, w.Body)
		}
	}
}
