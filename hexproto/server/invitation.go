package server

import (
	"net/http"
	"slices"

	"gamebots/hexproto/wire"
)

// invitation shows a private challenge to whoever has its id, with an account or without.
func (s *Server) invitation(w http.ResponseWriter, r *http.Request) {
	m := s.invitationOf(r.PathValue("id"))
	if m == nil {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, m)
}

// invitationOf returns a private challenge to everybody, or nil.
func (s *Server) invitationOf(id string) *wire.Invitation {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.lobby.challenges[id]
	if ch == nil || !ch.Private || ch.to != nil {
		return nil
	}
	i := slices.IndexFunc(s.about, func(rules wire.Rules) bool { return rules.Name == ch.Rules })
	about := &s.about[i]
	return &wire.Invitation{Title: about.Title, Hidden: about.Hidden, Positions: about.Positions, Challenge: ch.row()}
}
