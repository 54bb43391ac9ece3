package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"
)

// listRecords lists finished games as JSON, newest first.
func (s *Server) listRecords(w http.ResponseWriter, r *http.Request) {
	s.query(w, r, func(q *database.Query) (any, error) { return s.briefs(r.Context(), q) })
}

// summary counts finished games of a player.
func (s *Server) summary(w http.ResponseWriter, r *http.Request) {
	s.query(w, r, func(q *database.Query) (any, error) { return database.Summarise(r.Context(), s.store.db, q) })
}

// query answers a request for records with the result of answer, as JSON. It waits
// for the client's turn.
func (s *Server) query(w http.ResponseWriter, r *http.Request, answer func(*database.Query) (any, error)) {
	q, err := database.ParseQuery(r.URL.Query())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.inTurn(s.archive.reading, r, func() {
		body, err := answer(q)
		if err != nil {
			s.refuse(w, err)
			return
		}
		writeJSON(w, body)
	})
}

// refuse answers a request for records that failed.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	var wrong *database.ParameterError
	switch {
	case errors.As(err, &wrong):
		http.Error(w, err.Error(), http.StatusBadRequest)
	case errors.Is(err, context.DeadlineExceeded):
		http.Error(w, "the search takes too long: ask for a player, a kind or dates", http.StatusServiceUnavailable)
	default:
		if !errors.Is(err, context.Canceled) {
			s.log.Error("reading records", "error", err)
		}
		http.Error(w, "the games cannot be read", http.StatusInternalServerError)
	}
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// briefs returns the games of a query.
func (s *Server) briefs(ctx context.Context, q *database.Query) ([]wire.Brief, error) {
	games, err := database.Games(ctx, s.store.db, q)
	s.state.With(func(st *state) {
		for i := range games {
			for j := range games[i].Seats {
				games[i].Seats[j].Bot = st.accounts.named(games[i].Seats[j].Name).bot
			}
		}
	})
	return games, err
}

// maxDownload is how many games a download has at most. Another one goes on before the
// last of them.
const maxDownload = 10000

// download writes the games of a query in a format, one after the other, newest first.
// It leaves out those that do not have the format. Between parts other clients have
// their turn.
func (s *Server) download(w http.ResponseWriter, r *http.Request, format string) {
	parameters := r.URL.Query()
	parameters.Del("limit")
	if _, err := database.ParseQuery(parameters); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	kind := map[string]string{"jsonl": "application/jsonl"}[format]
	w.Header().Set("Content-Type", cmp.Or(kind, "text/plain; charset=utf-8"))
	w.Header().Set("Content-Disposition", `attachment; filename="games.`+format+`"`)
	for n := 0; n < maxDownload; {
		part, games, err := s.downloadPart(r, parameters, format)
		if err != nil {
			if n == 0 {
				w.Header().Del("Content-Disposition")
				s.refuse(w, err)
				return
			}
			if r.Context().Err() == nil { // the client is still there
				s.log.Error("a download is cut off", "error", err)
			}
			panic(http.ErrAbortHandler) // so that the client sees that it is not complete
		}
		if len(games) == 0 {
			return
		}
		if _, err := w.Write(part); err != nil {
			return // the client has left
		}
		n += len(games)
		parameters.Set("before", games[len(games)-1].Game)
	}
}

// downloadPart returns the next games of a download in a format, and the list of them.
func (s *Server) downloadPart(r *http.Request, parameters url.Values, format string) ([]byte, []wire.Brief, error) {
	caller := s.caller(r)
	done, err := s.archive.reading.Take(r.Context(), caller)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	q, err := database.ParseQuery(parameters)
	if err != nil {
		return nil, nil, err
	}
	games, err := database.Games(r.Context(), s.store.db, q)
	var part bytes.Buffer
	for _, g := range games {
		stored, err := s.readGames(`WHERE id = ?`, g.Game)
		if err != nil {
			return nil, nil, err
		}
		if len(stored) == 0 || stored[0].rules == nil || stored[0].restore() != nil {
			continue // a game that was given up
		}
		state := parallel.Get(&s.state, func(*state) *wire.Game { return stored[0].recorded(caller) })
		if format == "jsonl" {
			part.Write(encode(0, state).text)
			part.WriteByte('\n')
		} else if text, ok := stored[0].game.Record(format, state); ok {
			part.WriteString(text)
		}
	}
	return part.Bytes(), games, err
}

// profileGames is how many games a profile lists.
const profileGames = 20

// profile describes an account.
func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	p := parallel.Get(&s.state, func(st *state) *wire.Profile { return st.accounts.profile(r.PathValue("name")) })
	if p == nil {
		http.NotFound(w, r)
		return
	}
	parameters := url.Values{"player": {p.Name}, "limit": {fmt.Sprint(profileGames)}}
	r.URL.RawQuery = parameters.Encode()
	s.query(w, r, func(q *database.Query) (any, error) {
		history, err := database.RatingHistory(r.Context(), s.store.db, p.Name)
		if err != nil {
			return nil, err
		}
		for i := range p.Kinds {
			k := &p.Kinds[i]
			if k.History = history[k.Kind]; k.History == nil {
				k.History = []wire.RatingPoint{}
			}
		}
		p.Games, err = s.briefs(r.Context(), q)
		return p, err
	})
}

// profile returns what memory has of an account's profile, or nil if there is no such
// account.
func (as *accounts) profile(name string) *wire.Profile {
	a := as.byName[key(name)]
	if a == nil {
		return nil
	}
	p := &wire.Profile{Name: a.name, Bot: a.bot, Since: a.created, Online: a.present(), Kinds: []wire.KindRecord{}}
	for kind, st := range a.standings {
		k := wire.KindRecord{Kind: kind, Rating: a.wireRating(kind), Won: st.won, Lost: st.lost, Drawn: st.drawn}
		p.Kinds = append(p.Kinds, k)
	}
	slices.SortFunc(p.Kinds, func(a, b wire.KindRecord) int {
		return cmp.Or(cmp.Compare(b.Won+b.Lost+b.Drawn, a.Won+a.Lost+a.Drawn), cmp.Compare(a.Kind, b.Kind))
	})
	return p
}
