package registry_test

import (
	"encoding/json"
	"slices"
	"testing"

	"gamebots/bots/registry"
	"gamebots/configs"
	"gamebots/hexproto/game"
)

// Every game of two to nine players is offered, with a title, and bots that play it: those whose texts players can
// read.
func TestPoker(t *testing.T) {
	strategies, err := registry.TrainQuick(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		for _, s := range strategies {
			s.Policy.Close()
		}
	}()
	room, err := registry.Poker(strategies)
	if err != nil {
		t.Fatal(err)
	}
	var names, titles []string
	for _, r := range room.Rules {
		about := r.About()
		names = append(names, about.Name)
		g, err := r.(game.Dealer).Deal(json.RawMessage(`{"hands":3}`), make([]byte, game.SeedSize))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(about.Seats); n < 2 || n > 9 || len(g.ToMove()) != n || about.Title == "" {
			t.Errorf("%+v", about)
		}
		definition, err := configs.Game(about.Name)
		if err != nil {
			t.Fatal(err)
		}
		for seat := range about.Seats { // bots read them
			text := g.(game.Hidden).ViewOf(seat, -1).Poker.Match
			if _, _, err := definition.ParseMatchState(text); err != nil {
				t.Errorf("%s, seat %d: %q: %v", about.Name, seat, text, err)
			}
		}
		if slices.Contains(titles, about.Title) {
			t.Errorf("%s: another game is called %q, too", about.Name, about.Title)
		}
		titles = append(titles, about.Title)
		plays := 0
		for _, b := range room.Bots {
			if slices.Contains(b.Rules, about.Name) {
				plays++
			}
		}
		if want := 3 + len(about.Methods); plays != want {
			t.Errorf("%s has %d bots, want %d", about.Name, plays, want)
		}
	}
	for _, want := range []string{"kuhn", "leduc-3p", "holdem-nolimit-6p", "rhode-island", "reis-d"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	if _, err := registry.Poker(append(strategies, strategies[0])); err == nil {
		t.Error("a bot of two strategies for a game")
	}
}
