package acpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamebots/internal/testkit"
)

// eachJSON is testkit.EachLine for one JSON value a line.
func eachJSON[T any](t *testing.T, file string, f func(location string, v T)) {
	t.Helper()
	testkit.EachLine(t, file, func(location, line string) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", location, err)
		}
		f(location, v)
	})
}

// originalGame reads a game as the original server plays it.
func originalGame(t *testing.T, file string) *Game {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := ParseOriginal(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// referenceGame returns the game that the reference data call by a name.
func referenceGame(t *testing.T, name string) *Game {
	t.Helper()
	for _, file := range testkit.ReferenceFiles(t, "acpc/games/*/*.game") {
		if filepath.Base(file) == name+".game" {
			return originalGame(t, file)
		}
	}
	t.Fatalf("no reference game %s", name)
	return nil
}

func TestReferenceGameDefinitions(t *testing.T) {
	type definition struct {
		Name, Text, Error string
		OK                bool
		Printed           *string
	}
	for _, file := range testkit.ReferenceFiles(t, "acpc/gamedefs/*.jsonl") {
		eachJSON(t, file, func(location string, want definition) {
			g, _, err := CheckGame(want.Name, want.Text)
			var gameErr *GameError
			switch {
			case want.OK && err != nil:
				t.Errorf("%s %s: refused: %v", location, want.Name, err)
			case want.OK && g.String() != *want.Printed:
				t.Errorf("%s %s: printed\n%s\nwant\n%s", location, want.Name, g, *want.Printed)
			case !want.OK && !errors.As(err, &gameErr):
				t.Errorf("%s %s: error %v, want %q", location, want.Name, err, want.Error)
			case !want.OK && gameErr.Msg != want.Error:
				t.Errorf("%s %s: error %q, want %q", location, want.Name, gameErr.Msg, want.Error)
			}
		})
	}
}

func TestReferenceStates(t *testing.T) {
	type state struct {
		Round, Finished, MaxSpent, MinRaiseTo int
		Spent, Folded                         []int
		Cur                                   int
		CanFold                               bool
		Raise                                 []int32
		Values                                []float64
		State                                 string
		Views                                 []string
	}
	for _, file := range testkit.ReferenceFiles(t, "acpc/states/*.jsonl") {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			g := referenceGame(t, name)
			eachJSON(t, file, func(location string, want state) {
				s, n, err := g.ParseState(want.State)
				if err != nil || n != len(want.State) {
					t.Fatalf("%s: read %d of %d bytes: %v", location, n, len(want.State), err)
				}
				check := func(what string, got, want any) {
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s: %s is %v, want %v", location, what, got, want)
					}
				}
				check("text", string(s.Append(nil)), want.State)
				check("round", s.Round(), want.Round)
				check("finished", s.Finished(), want.Finished != 0)
				check("most spent", s.MaxSpent(), want.MaxSpent)
				check("smallest raise", s.minRaiseTo, want.MinRaiseTo)
				for p := range g.NumPlayers {
					check("spent", s.Spent(p), want.Spent[p])
					check("folded", s.Folded(p), want.Folded[p] != 0)
				}
				for p, text := range want.Views {
					view := s.View(p)
					check("view", string(view.Append(nil)), text)
				}
				if s.Finished() {
					for p, v := range want.Values {
						check("value", fmt.Sprintf("%.6f", s.Value(p)), fmt.Sprintf("%.6f", v))
					}
					return
				}
				check("actor", s.Actor(), want.Cur)
				check("may fold", s.CanFold(), want.CanFold)
				minTo, maxTo, ok := s.RaiseBounds()
				check("may raise", ok, want.Raise != nil)
				if ok {
					check("raise bounds", []int32{minTo, maxTo}, want.Raise)
				}
			})
		})
	}
}

func TestReferenceParse(t *testing.T) {
	type sample struct {
		Kind, In, Canon string
		Ret             int
	}
	for _, file := range testkit.ReferenceFiles(t, "acpc/parse/*.jsonl") {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			g := referenceGame(t, name)
			eachJSON(t, file, func(location string, want sample) {
				var canon []byte
				var n int
				var err error
				switch want.Kind {
				case "M":
					var m MatchState
					if m, n, err = g.ParseMatchState(want.In); err == nil {
						canon = m.Append(nil)
					}
				case "S":
					var s State
					if s, n, err = g.ParseState(want.In); err == nil {
						canon = s.Append(nil)
					}
				default:
					t.Fatalf("%s: kind %q", location, want.Kind)
				}
				if err != nil {
					n = -1
				}
				if n != want.Ret || string(canon) != want.Canon {
					t.Errorf("%s: %q gives %d %q (%v), want %d %q",
						location, want.In, n, canon, err, want.Ret, want.Canon)
				}
			})
		})
	}
}

func TestReferenceDeals(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/deals/*.txt") {
		name, seedText, ok := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), ".seed")
		seed, err := strconv.ParseUint(seedText, 10, 32)
		if !ok || err != nil {
			t.Fatalf("%s: no seed in the name", file)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			g := referenceGame(t, name)
			shuffler := NewShuffler(uint32(seed))
			testkit.EachLine(t, file, func(location, want string) {
				s := g.NewState(0)
				shuffler.Deal(&s)
				if got := dealText(&s); got != want {
					t.Errorf("%s: dealt %q, want %q", location, got, want)
				}
			})
		})
	}
}

// dealText prints all cards of a hand as the reference data do.
func dealText(s *State) string {
	var rounds []string
	board := s.Board[:]
	for _, k := range s.game.NumBoardCards[:s.game.NumRounds] {
		rounds = append(rounds, string(appendCards(nil, board[:k])))
		board = board[k:]
	}
	var holes []string
	for p := range s.game.NumPlayers {
		holes = append(holes, string(appendCards(nil, s.Holes[p][:s.game.NumHoleCards])))
	}
	return strings.Join(holes, "|") + " " + strings.Join(rounds, "/")
}

// TestReferenceLogs replays every match: the deal from the seed, the betting,
// the values, whose hand it is, and the score.
func TestReferenceLogs(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/logs/*/*.log") {
		t.Run(filepath.Base(file), func(t *testing.T) { replayLog(t, file) })
	}
}

func replayLog(t *testing.T, file string) {
	var (
		g        *Game
		shuffler *Shuffler
		seats    []string // names by seat, as in the first hand
		score    []float64
		hands    uint32
		scored   bool
	)
	testkit.EachLine(t, file, func(location, line string) {
		switch {
		case strings.HasPrefix(line, "# name/game/hands/seed "):
			fields := strings.Fields(line)
			seed, err := strconv.ParseUint(fields[len(fields)-1], 10, 32)
			if err != nil {
				t.Fatalf("%s: %v", location, err)
			}
			g = originalGame(t, filepath.Join(filepath.Dir(file), fields[3]))
			shuffler = NewShuffler(uint32(seed))
			score = make([]float64, g.NumPlayers)
		case strings.HasPrefix(line, "STATE:"):
			s, values, names, err := g.ParseResult(line)
			if err != nil {
				t.Fatalf("%s: %v", location, err)
			}
			if !s.Finished() || s.HandID != hands {
				t.Fatalf("%s: hand %d, finished %v; want hand %d", location, s.HandID, s.Finished(), hands)
			}
			if seats == nil {
				seats = names
			}
			dealt := s
			shuffler.Deal(&dealt)
			if got := string(dealt.AppendResult(nil, names)); got != line {
				t.Fatalf("%s:\n%s, want\n%s", location, got, line)
			}
			for p, v := range values {
				seat := (p + int(hands)) % g.NumPlayers
				if names[p] != seats[seat] {
					t.Fatalf("%s: %s at position %d, want seat %d", location, names[p], p, seat)
				}
				score[seat] += s.Value(p)
				if fmt.Sprintf("%.6f", v) != fmt.Sprintf("%.6f", s.Value(p)) {
					t.Fatalf("%s: value %v, want %v", location, s.Value(p), v)
				}
			}
			hands++
		case strings.HasPrefix(line, "SCORE:"):
			scored = true
			if got := string(AppendScore(nil, score, seats)); got != line {
				t.Errorf("%s: %s, want %s", location, got, line)
			}
			out, err := os.ReadFile(strings.TrimSuffix(file, ".log") + ".stdout")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(strings.Split(string(out), "\n"), line) {
				t.Errorf("%s: not what the match printed: %s", location, out)
			}
		}
	})
	if !scored {
		t.Errorf("%s has no score", file)
	}
}
