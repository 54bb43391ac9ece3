// Package gtowizardtest makes a stand-in for GTO Wizard's site fail as the site does, for tests.
package gtowizardtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"

	"gamebots/bots/sites/gtowizard/standin"
)

// Site is a stand-in whose requests are spoiled now and then. It is an [http.Handler].
type Site struct {
	*standin.Server
	// Fault, if not nil, may spoil the n-th request, from 1.
	Fault func(n int) Fault
	// Change, if not nil, may change an answer about a hand.
	Change func(answer map[string]any)

	mu       sync.Mutex
	requests int
	spoiled  int
	refused  []string
	unread   map[int64]bool
}

// Fault is how a request is spoiled.
type Fault struct {
	Status int  // is answered, instead of the right answer
	Cut    bool // the connection breaks without an answer
	After  bool // only after the request was fulfilled
}

// Faults spoils requests with a probability, in all ways that are known of the site, before and after they are
// fulfilled.
func Faults(random *rand.Rand, probability float64) func(n int) Fault {
	return func(int) Fault {
		if random.Float64() >= probability {
			return Fault{}
		}
		f := Fault{After: random.IntN(2) == 0}
		if i := random.IntN(6); i == 0 {
			f.Cut = true
		} else if f.Status = []int{409, 429, 502, 503, 504}[i-1]; f.Status < 500 {
			f.After = false // such a status says that nothing was done
		}
		return f
	}
}

// Counts returns how many requests came and how many were spoiled, and the refusals but those of too many hands.
func (s *Site) Counts() (requests, spoiled int, refused []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.spoiled, s.refused
}

// Unread reports whether a hand ended by a request whose answer was spoiled.
func (s *Site) Unread(hand int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unread[hand]
}

// ServeHTTP answers a request, or spoils it.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	var fault Fault
	if s.Fault != nil {
		fault = s.Fault(s.requests)
	}
	spoiled := fault.Cut || fault.Status != 0
	if spoiled {
		s.spoiled++
	}
	right := httptest.NewRecorder()
	if !spoiled || fault.After {
		s.Server.ServeHTTP(right, r)
		if right.Code >= 400 && right.Code != http.StatusConflict {
			s.refused = append(s.refused, fmt.Sprintf("%s %s: %d %s", r.Method, r.URL.Path, right.Code, right.Body))
		}
	}
	if !spoiled {
		w.WriteHeader(right.Code)
		_, _ = w.Write(s.changed(right.Body.Bytes())) // the client may be gone
		return
	}
	s.note(right.Body.Bytes())
	if fault.Cut {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(fault.Status)
	fmt.Fprint(w, "<html>busy</html>")
}

// note notes a hand that is over, if that is the answer.
func (s *Site) note(answer []byte) {
	var hand struct {
		ID    int64 `json:"hand_id"`
		State struct {
			Over bool `json:"is_hand_over"`
		} `json:"game_state"`
	}
	if json.Unmarshal(answer, &hand) == nil && hand.State.Over {
		if s.unread == nil {
			s.unread = map[int64]bool{}
		}
		s.unread[hand.ID] = true
	}
}

// changed returns an answer with the hands in it changed.
func (s *Site) changed(text []byte) []byte {
	var answer any
	if s.Change == nil || json.Unmarshal(text, &answer) != nil {
		return text
	}
	hands, ok := answer.([]any)
	if !ok {
		hands = []any{answer}
	}
	for _, hand := range hands {
		if hand := hand.(map[string]any); hand["game_state"] != nil {
			s.Change(hand)
		}
	}
	text, _ = json.Marshal(answer)
	return text
}
