package judge_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/acpc/client"
	"gamebots/bots/judge"
	"gamebots/configs"
)

// bot is a bot: "agent" acts at random, "crash" ends after some answers, and "acpc" is a player of the ACPC's protocol
// with an illegal action now and then.
func bot(kind string) {
	if kind == "acpc" {
		playACPC(os.Args[2], os.Args[3])
		return
	}
	if kind == "wrong" { // one at a time has a file in a folder as long as it runs
		f, err := os.OpenFile(filepath.Join(os.Args[2], "running"), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			f, _ = os.Create(filepath.Join(os.Args[2], "crowd"))
		} else {
			defer os.Remove(f.Name())
		}
		f.Close()
	}
	for lines, n := bufio.NewScanner(os.Stdin), 1; lines.Scan(); n++ {
		if kind == "wrong" && n == 20 {
			n = 19
		}
		if kind == "crash" && n == 20 {
			fmt.Fprintln(os.Stderr, "boom <b>")
			os.Exit(3)
		}
		if kind == "silent" && n == 20 {
			time.Sleep(time.Hour)
		}
		actions := `"c"`
		if strings.Contains(lines.Text(), `"r"]`) {
			actions = `"c","r"`
		}
		row := map[string]string{`"c"`: "1", `"c","r"`: "0.5,0.5"}[actions]
		fmt.Printf(`{"id":%d,"name":"<i>half</i>","actions":[%s],"probabilities":[%s]}`+"\n", n, actions, row)
	}
}

// playACPC calls, but raises in vain when three raises are in the round.
func playACPC(host, port string) {
	conn, err := client.Dial(context.Background(), host+":"+port, 0)
	if err != nil {
		return
	}
	fmt.Fprint(conn, client.Version)
	g, _ := configs.Game("leduc")
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		m, _, err := g.ParseMatchState(lines.Text())
		if err != nil || m.Finished() || m.Actor() != m.Viewer {
			continue
		}
		action := "r"
		if m.HandID%10 == 3 {
			action = "x"
		}
		fmt.Fprintf(conn, "%s:%s\r\n", strings.TrimSpace(lines.Text()), action)
	}
}

func spec(t *testing.T, game, kind string) *judge.Spec {
	t.Helper()
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	return &judge.Spec{
		Game: g, Command: []string{os.Args[0], "bot=" + kind}, ACPC: kind == "acpc", Deals: 60, LocalDeals: 32, Seed: 1,
		Time: time.Hour, Patience: time.Minute, Means: judge.Means{Threads: 2, Memory: 1 << 30}, Repeat: "again",
	}
}

// page returns the HTML and the text of a card.
func page(t *testing.T, c *judge.Card) (html, text string) {
	t.Helper()
	var b, s bytes.Buffer
	if err := c.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteText(&s); err != nil {
		t.Fatal(err)
	}
	return b.String(), s.String()
}

// An agent of a small game is evaluated exactly, as a simple player of the same strategy would be.
func TestSmallGame(t *testing.T) {
	c, err := judge.NewCard(t.Context(), spec(t, "leduc", "agent"))
	if err != nil {
		t.Fatal(err)
	}
	html, text := page(t, c)
	exact := c.Exact.Exploitability()
	if c.Name != "<i>half</i>" || exact < 1 || !strings.Contains(html, fmt.Sprintf("%.6f chips a hand", exact)) ||
		!strings.Contains(text, fmt.Sprintf("exploitability  %.6f chips", exact)) || strings.Contains(html, "<i>half") {
		t.Errorf("exploitability %g:\n%s\n%s", exact, text, html)
	}
	c.Name += "\x1b[2J" // clears a terminal
	if _, text = page(t, c); strings.Contains(text, "\x1b") {
		t.Errorf("the name is printed as it is: %q", text)
	}
	for _, m := range c.Matches {
		if m.Estimate.Hands != 120 || m.Deals != 60 || m.Error != "" {
			t.Errorf("%+v", m)
		}
	}
	again, err := judge.NewCard(t.Context(), spec(t, "leduc", "agent"))
	if err != nil || again.Matches[1].Estimate.Estimated != c.Matches[1].Estimate.Estimated {
		t.Errorf("another result for the same seed, %v", err)
	}
	if conduct := c.Conduct(); conduct.Illegal != 0 || len(conduct.Errors) != 0 || conduct.Decisions < 240 {
		t.Errorf("%+v", conduct)
	}
}

// In a large game local best responses bound what can be won.
func TestLargeGame(t *testing.T) {
	s := spec(t, "holdem-limit-12", "agent")
	s.Deals, s.LocalDeals = 2, 2
	c, err := judge.NewCard(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	html, _ := page(t, c)
	if c.Exact != nil || len(c.Locals) != 1+c.Game.NumRounds || c.Locals[0].Won.Deals() != 2 ||
		!strings.Contains(html, "questions to the agent") {
		t.Errorf("%+v\n%s", c, html)
	}
}

// A bot that fails is judged by what it did before.
func TestHostileBots(t *testing.T) {
	for _, test := range []struct{ kind, want string }{
		{"crash", "exit status 3: boom &lt;b&gt;"}, {"silent", "no answer within 300ms"},
	} {
		t.Run(test.kind, func(t *testing.T) {
			t.Parallel()
			s := spec(t, "leduc", test.kind)
			if test.kind == "silent" {
				s.Patience = 300 * time.Millisecond
			}
			c, err := judge.NewCard(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			html, _ := page(t, c)
			if c.Exact != nil || len(c.Conduct().Errors) != 3 || !strings.Contains(html, test.want) {
				t.Errorf("%q\n%s", c.Conduct().Errors, html)
			}
		})
	}
	for _, game := range []string{"leduc", "holdem-limit-12"} { // exactly, and by local best responses
		s, dir := spec(t, game, "wrong"), t.TempDir()
		s.Command, s.Means.Threads = append(s.Command, dir), 1
		c, err := judge.NewCard(t.Context(), s)
		if err != nil || len(c.Failures) != 1 || !strings.Contains(c.Failures[0], `its "id" is 19`) ||
			len(c.Locals) > 0 || len(c.Conduct().Errors) != 3 {
			t.Errorf("%s: %q, %+v, %v", game, c.Failures, c.Locals, err)
		}
		if html, text := page(t, c); !strings.Contains(html, "Not known: the agent failed.") ||
			!strings.Contains(text, "exploitability  not known: the agent failed\n") {
			t.Errorf("%s: the card does not say what is not known:\n%s", game, text)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v is left of agents that answer wrongly", game, left)
		}
	}
	s := spec(t, "leduc", "agent")
	s.Command = []string{"no-such-program"}
	if c, err := judge.NewCard(t.Context(), s); err != nil || len(c.Failures) != 1 || len(c.Matches) != 1 {
		t.Errorf("a program that is not there: %v, and it plays %d matches", err, len(c.Matches))
	}
	if _, err := judge.NewCard(t.Context(), spec(t, "kuhn-3p", "agent")); err == nil {
		t.Error("a bot of three players is judged")
	}
}

// A player of the ACPC's protocol states no probabilities. What the dealer corrects is counted.
func TestACPCPlayer(t *testing.T) {
	c, err := judge.NewCard(t.Context(), spec(t, "leduc", "acpc"))
	if err != nil {
		t.Fatal(err)
	}
	html, _ := page(t, c)
	conduct := c.Conduct()
	if conduct.Illegal == 0 || len(conduct.Errors) != 0 || conduct.Decisions < 240 || c.Matches[0].Deals != 60 ||
		!strings.Contains(html, "invalid action, changed to call") || !strings.Contains(html, "does not say") {
		t.Errorf("%+v\n%s", conduct, html)
	}
}

// An interruption leaves what was found before.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	s := spec(t, "leduc", "agent")
	s.OnPart = func(what string) {
		if what == "playing against always raise" {
			cancel(stop)
		}
	}
	c, err := judge.NewCard(ctx, s)
	if !errors.Is(err, stop) || c.Exact == nil || len(c.Matches) != 1 || !c.Interrupted {
		t.Fatalf("%+v, %v", c, err)
	}
	if html, _ := page(t, c); !strings.Contains(html, "was interrupted") {
		t.Error(html)
	}
}
