package acpc

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update rewrites it. Got\n%s", file, got)
	}
}

// readGame reads a game for play.
func readGame(t testing.TB, file string) *Game {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := ParseGame(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// shippedGames returns all games of configs/games.
func shippedGames(t testing.TB) []*Game {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "configs", "games", "*.game"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no shipped games: %v", err)
	}
	var games []*Game
	for _, file := range files {
		games = append(games, readGame(t, file))
	}
	return games
}

// playRandomly finishes a hand with actions that choose picks: it returns a
// number from 0 to n-1.
func playRandomly(s *State, choose func(n int) int) {
	for !s.Finished() {
		legal := []Action{{Type: Call}}
		if s.CanFold() {
			legal = append(legal, Action{Type: Fold})
		}
		if minTo, maxTo, ok := s.RaiseBounds(); ok {
			legal = append(legal, Action{Raise, minTo}, Action{Raise, maxTo},
				Action{Raise, minTo + int32(choose(min(int(maxTo-minTo), 1000)+1))})
		}
		s.Apply(legal[choose(len(legal))])
	}
}

// TestHandsGolden plays some hands of every shipped game from a seed, and
// compares their results and each player's view of them with testdata.
func TestHandsGolden(t *testing.T) {
	names := strings.Fields("Ann Ben Cat Dan Eve Fay Gus Hal Ivy Joe")
	for _, g := range shippedGames(t) {
		t.Run(g.Name, func(t *testing.T) {
			shuffler, random := NewShuffler(20), NewMT19937(21)
			var text []byte
			for hand := range uint32(5) {
				s := g.NewState(hand)
				shuffler.Deal(&s)
				playRandomly(&s, func(n int) int { return int(random.Uint32() % uint32(n)) })
				for p := range g.NumPlayers {
					view := s.View(p)
					text = append(view.Append(text), '\n')
				}
				text = append(s.AppendResult(text, names[:g.NumPlayers]), '\n')
			}
			golden(t, g.Name+".hands", string(text))
		})
	}
}
