package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/store"
	"gamebots/hexproto/game"
)

// Config configures a Server.
type Config struct {
	Database string       // the arena's file, which must exist
	Rules    []game.Rules // rules of board games that runs may have
	// MayWrite reports whether a request may remove runs; nil allows none.
	MayWrite func(r *http.Request) bool
}

// Server serves the runs of a database.
type Server struct {
	Config
	db *store.Store

	mu    sync.Mutex
	known map[int64]*progress // progress by run
}

// wait is how long a request waits for news, poll the interval of its queries.
const wait = 20 * time.Second

var poll = 500 * time.Millisecond // shorter in tests

// New opens a database for reading.
func New(ctx context.Context, c Config) (*Server, error) {
	db, err := store.OpenReadOnly(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	return &Server{Config: c, db: db, known: map[int64]*progress{}}, nil
}

// Close closes the database.
func (s *Server) Close() error { return s.db.Close() }

// Handler serves everything below /arena/.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /arena/runs", s.answer(s.news(s.runs)))
	mux.HandleFunc("GET /arena/run", s.answer(s.news(s.run)))
	mux.HandleFunc("GET /arena/games", s.answer(s.games))
	mux.HandleFunc("GET /arena/game", s.answer(s.game))
	mux.HandleFunc("DELETE /arena/run", s.answer(s.drop))
	return mux
}

// problem is an error with a status.
type problem struct {
	status int
	error
}

func (p problem) Unwrap() error { return p.error }

func badRequest(format string, args ...any) error {
	return problem{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

// answer returns a handler that encodes the value of f as JSON; nil is answered with 204.
func (s *Server) answer(f func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		got, err := f(r)
		if r.Context().Err() != nil {
			return // the client is gone
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if err == nil && got == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if err != nil {
			status := http.StatusInternalServerError
			told := struct {
				Error string `json:"error"`
				Hint  string `json:"hint,omitempty"`
			}{Error: err.Error()}
			if p := (problem{}); errors.As(err, &p) {
				status = p.status
			}
			if missing := (*store.MissingError)(nil); errors.As(err, &missing) {
				status, told.Error = http.StatusNotFound, "there is no run "+missing.Name
			}
			if h := (interface{ Hint() string })(nil); errors.As(err, &h) {
				told.Hint = h.Hint()
			}
			w.WriteHeader(status)
			got = told
		}
		_ = json.NewEncoder(w).Encode(got) // an error means that the client has gone
	}
}

// news turns a function with a versioned result into one that waits until the version
// differs from the query's "seen", for a time.
func (s *Server) news(f func(r *http.Request) (got any, version string, err error)) func(r *http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		seen := r.URL.Query().Get("seen")
		end := time.Now().Add(wait)
		for {
			got, version, err := f(r)
			if err != nil || version != seen {
				return got, err
			}
			if time.Now().After(end) {
				return nil, nil
			}
			select {
			case <-time.After(poll):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
	}
}

// drop removes a run.
func (s *Server) drop(r *http.Request) (any, error) {
	if s.MayWrite == nil || !s.MayWrite(r) {
		return nil, problem{http.StatusForbidden, errors.New("runs are read-only here")}
	}
	db, err := store.Open(r.Context(), s.Database)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	run, err := named(r, db)
	if err != nil {
		return nil, err
	}
	return struct {
		Removed string `json:"removed"`
	}{run.Plan.Name}, db.Drop(r.Context(), run)
}

// named returns the run that a request names.
func named(r *http.Request, db *store.Store) (*plan.Run, error) {
	name := r.URL.Query().Get("run")
	if name == "" {
		return nil, badRequest("run: no name of a run")
	}
	return db.Run(r.Context(), name)
}
