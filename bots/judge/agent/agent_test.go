package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/cfr/tabular"
	"gamebots/solvers/nash/extensive"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if how, found := strings.CutPrefix(os.Args[1], "agent="); found {
			behave(how)
			return
		}
	}
	os.Exit(m.Run())
}

// behave is an agent that answers well, until its third line.
func behave(how string) {
	if file, found := strings.CutPrefix(how, "together="); found {
		waitForSecond(file)
	}
	if how == "exits" {
		os.Exit(4)
	}
	for lines, n := bufio.NewScanner(os.Stdin), 1; lines.Scan(); n++ {
		actions, row := `["c","r"]`, "[0.25,0.75]"
		switch {
		case n == 1 && how == "dies at hello":
			os.Exit(5)
		case n == 1 && how == "wrong hello":
			n = 9
		}
		if n == 3 {
			switch how {
			case "endless line":
				for {
					fmt.Print(strings.Repeat("x", 1<<16))
				}
			case "endless lines":
				for {
					fmt.Println("y")
				}
			case "silent":
				continue
			case "deaf":
				time.Sleep(time.Hour)
			case "crash":
				fmt.Fprintln(os.Stderr, "boom")
				os.Exit(3)
			case "NaN":
				row = "[NaN,1]"
			case "sum":
				row = "[0.5,0.4]"
			case "negative":
				row = "[-0.5,1.5]"
			case "huge":
				row = "[1e999,0]"
			case "short":
				row = "[1]"
			case "null":
				row = "null"
			case "hands":
				row = "[[1,0],[1,0]]"
			case "twice":
				actions = `["c","c"]`
			case "illegal":
				actions = `["c","f"]`
			case "late id":
				n = 2
			case "half id":
				fmt.Println(`{"id":3.5,"actions":["c"],"probabilities":[1]}`)
				continue
			case "refuses":
				fmt.Println(`{"id":3,"error":"what is a raise?"}`)
				continue
			}
		}
		fmt.Printf(`{"id":%d.0,"name":"tested","actions":%s,"probabilities":%s}`+"\n", n, actions, row)
	}
}

// tested returns the agent of the test binary that behaves like this in a game.
func tested(t *testing.T, how, game string) *Agent {
	t.Helper()
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	a := &Agent{Command: []string{os.Args[0], "agent=" + how}, Game: g, Patience: time.Minute}
	t.Cleanup(a.Close)
	return a
}

// Nobody's answer is believed: what is wrong with it is said with its line.
func TestHostileAgents(t *testing.T) {
	for _, test := range []struct{ how, want string }{
		{"endless line", "longer than 4194304 bytes"},
		{"endless lines", `not an answer: invalid character 'y' looking for beginning of value: "y"`},
		{"silent", "no answer within 300ms"},
		{"deaf", "no answer within 300ms"},
		{"crash", "unexpected EOF: it has ended: exit status 3: boom"},
		{"NaN", "not an answer: invalid character 'N'"},
		{"sum", "they sum to 0.9, not to 1"},
		{"negative", "-0.5 is negative"},
		{"huge", "probabilities: want a list of numbers"},
		{"short", "1 of them for 2 actions"},
		{"null", "probabilities of 0 hands, not of 6"},
		{"hands", "probabilities of 2 hands, not of 6"},
		{"twice", `the action "c" is there twice`},
		{"illegal", `action "f": `},
		{"late id", `its "id" is 2, that of the question 3`},
		{"half id", "not an answer: 3.5 is not a whole number"},
		{"refuses", `its error: "what is a raise?"`},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			a := tested(t, test.how, "leduc")
			state := a.Game.NewState(0)
			c, err := a.Choices(t.Context(), &state) // after the first question
			if err != nil || a.Name() != "tested" || len(c.Actions) != 2 || c.Probability[1][5] != .75 {
				t.Fatalf("%+v, %v", c, err)
			}
			if test.how == "silent" || test.how == "deaf" {
				a.Patience = 300 * time.Millisecond
			}
			_, err = a.Choices(t.Context(), &state)
			wrong := new(AnswerError)
			if !errors.As(err, &wrong) || wrong.Line != 3 || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want of line 3: %s", err, test.want)
			}
		})
	}
}

// A program has ended when the error of its answer is returned, and nothing is kept of it.
func TestFailedProgramsEnd(t *testing.T) {
	for _, how := range []string{"sum", "endless lines", "deaf", "crash", "exits", "dies at hello", "wrong hello"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			a := tested(t, how, "leduc")
			state := a.Game.NewState(0)
			var last *program
			for failed := 0; failed < 2; {
				if how == "deaf" && last != nil {
					a.Patience = 300 * time.Millisecond
				}
				_, err := a.Choices(t.Context(), &state)
				if err == nil {
					last = a.all[0]
					continue
				}
				failed++
				if !errors.As(err, new(*AnswerError)) || len(a.all) > 0 || len(a.idle) > 0 {
					t.Errorf("%d programs are left after %v", len(a.all), err)
				}
				if last != nil {
					select {
					case <-last.process.Ended():
					default:
						t.Errorf("the program runs on after %v", err)
					}
				}
			}
		})
	}
}

// Programs that are asked at the same time start at the same time: here the first one answers only when a second one
// has been started.
func TestStartTogether(t *testing.T) {
	a := tested(t, "together="+filepath.Join(t.TempDir(), "second"), "leduc")
	state := a.Game.NewState(0)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if _, err := a.Choices(t.Context(), &state); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
}

// waitForSecond returns when two programs have called it with a file.
func waitForSecond(file string) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		f.Close()
		for ; err == nil; time.Sleep(time.Millisecond) {
			_, err = os.Stat(file)
		}
		return
	}
	os.Remove(file)
}

// The end of the context ends the wait for an answer.
func TestInterrupted(t *testing.T) {
	a := tested(t, "silent", "leduc")
	state := a.Game.NewState(0)
	if _, err := a.Choices(t.Context(), &state); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	if _, err := a.Choices(ctx, &state); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}

// The agent of docs/agents.md is one.
func TestDocumentedAgent(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	page, err := os.ReadFile("../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(page), "```python\n")
	code, _, found := strings.Cut(code, "```")
	if lines := strings.Count(code, "\n"); !found || lines > 40 {
		t.Fatalf("the page has an agent of %d lines", lines)
	}
	file := filepath.Join(t.TempDir(), "uniform.py")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, game := range []string{"leduc", "holdem-nolimit-2p"} {
		g, err := configs.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		a := &Agent{Command: []string{python, file}, Game: g, Patience: time.Minute}
		defer a.Close()
		s := g.NewState(7)
		acpc.NewShuffler(1).Deal(&s)
		c, err := a.Choices(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		if n := float64(len(c.Actions)); c.Probability[0][0] != 1/n || c.Probability[1][3] != 1/n {
			t.Errorf("%s: %v", game, c.Actions)
		}
		m := s.View(s.Actor())
		if action, err := a.Seat(1).Act(t.Context(), &m); err != nil || s.Check(action) != nil {
			t.Errorf("%s: %v, %v", game, action, err)
		}
	}
	a := &Agent{Command: []string{python, file}, Extensive: kuhn(t), Patience: time.Minute}
	defer a.Close()
	profile, err := a.Profile(t.Context())
	if err != nil || kuhn(t).Check(profile) != nil {
		t.Errorf("%v, %v", profile, err)
	}
}

func kuhn(t *testing.T) *extensive.Game {
	t.Helper()
	rules, err := configs.Game("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	g, err := tabular.OfPoker(rules, betting.Actions{}, abstraction.Lossless)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// uniform returns the profile of those who choose at random.
func uniform(g *extensive.Game) extensive.Profile {
	profile := make(extensive.Profile, len(g.Sets))
	for set, s := range g.Sets {
		for range s.Actions {
			if s.Player != extensive.Chance {
				profile[set] = append(profile[set], big.NewRat(1, int64(len(s.Actions))))
			}
		}
	}
	return profile
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	line, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// What Serve answers is what an agent reads.
func TestServe(t *testing.T) {
	p := cfrtest.Trained(t, "leduc", "all", cfr.Algorithms[1], 20)
	by := &Strategy{Name: "mine", Policy: p, Player: poker.NewPolicyPlayer(p, poker.Style{}, 0).HandStrategy()}
	var out strings.Builder
	g := p.Tree.Game
	questions := []string{
		`MATCHSTATE:0:0:cr:Ks|`,
		`{"id":2,"state":"MATCHSTATE:0:0:cr:|","hands":["Ks","Qh"]}`,
		`{"id":3,"state":"MATCHSTATE:1:0:cc/r:|/Ks","hands":"all"}`,
		`{"id":4,"state":"MATCHSTATE:0:0:cr:|"}`,
		`{"id":5,"state":"MATCHSTATE:0:0:cc/r:|/Ks","hands":["Ks"]}`,
		`{"id":6,"state":"MATCHSTATE:0:0:crf:Ks|"}`,
		`{"id":7}`,
		`{"id":8,"hands":3}`,
		`{"id":9,"protocol":"gamebots-policy 1","game":"leduc","definition":` + quoted(t, g.String()) + `}`,
		`{"id":10,"protocol":"gamebots-policy 1","game":"leduc","definition":"GAMEDEF"}`,
	}
	if err := Serve(t.Context(), strings.NewReader(strings.Join(questions, "\n\n")), &out, by); err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	for line := range strings.Lines(out.String()) {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers of %d questions", len(answers), len(questions))
	}
	m, _, err := g.ParseMatchState(questions[0])
	if err != nil {
		t.Fatal(err)
	}
	choices, err := p.Choices(nil, &m.State)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range choices {
		want := float64(c.Probability)
		one, two := answers[0].Probabilities[0][i], answers[1].Probabilities[0][i]
		if math.Abs(one-want) > 1e-6 || one != two || answers[0].Actions[i] != c.Action.String() {
			t.Errorf("%v: %g, %g, want %g", c.Action, one, two, want)
		}
	}
	if a := answers[2]; len(a.Hands) != 5 || len(a.Probabilities) != 5 || a.ID != 3 || a.Hands[0] == "Ks" {
		t.Errorf("all hands: %+v", a)
	}
	for i, want := range []string{
		"the cards of position 0, who is to act, are missing", `hand "Ks": want 1 cards`, "the hand is over",
		`"state" is missing`, "hands: want a list", "", "",
	} {
		if a := answers[3+i]; i < 5 && !strings.Contains(a.Error, want) {
			t.Errorf("answer %+v, want the error %s", a, want)
		}
	}
	if answers[8].Name != "mine" || answers[9].Error == "" {
		t.Errorf("introductions: %+v", answers[8:])
	}
}

// Answers about an extensive game are those of its profile, by set and by history.
func TestServeExtensive(t *testing.T) {
	g := kuhn(t)
	by := &Profile{Game: g, Profile: uniform(g)}
	var out strings.Builder
	questions := `{"id":1,"player":1,"set":2}
{"id":2,"history":["Qs Ks"]}
{"id":3,"history":["Qs Ks","pass"]}
{"id":4,"player":1,"set":99}
{"id":5,"history":[]}
{"id":6}
{"id":7,"player":0,"set":1}
{"id":8,"player":3,"set":1}
{"id":9,"player":2,"history":["Qs Ks"]}
{"id":10,"player":1,"set":2,"history":["Qs Ks"]}
{"id":11,"player":1,"set":1,"history":["Qs Ks"]}
{"id":12,"player":1,"history":["Qs Ks"]}
{"id":13.0,"player":1.0,"set":2e0}
{"id":14.5,"player":1,"set":2}
`
	if err := Serve(t.Context(), strings.NewReader(questions), &out, by); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		`"probabilities":[0.5,0.5]`, `"probabilities":[0.5,0.5]`, "want one of", "no information set 99",
		"chance moves there", `\"set\" or \"history\" is missing`, "players count from 1", "player 3 has no",
		"comes set 1 of player 1", "contradicts", `"probabilities":[0.5,0.5]`, `"probabilities":[0.5,0.5]`,
		`"id":13,"actions":["fold","call"],"probabilities":[0.5,0.5]`, "14.5 is not a whole number",
	} {
		if len(lines) != 14 || !strings.Contains(lines[i], want) {
			t.Errorf("answer %d of %q: want %s", i+1, lines, want)
		}
	}
}
