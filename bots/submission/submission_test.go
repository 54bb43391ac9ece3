//go:build unix

package submission

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/bots/poker"
	"gamebots/bots/sites/mit"
	"gamebots/configs"
	"gamebots/internal/usererr"

	"go.uber.org/goleak"
)

// isBot is set for the test binary as the program of a folder: a bot that ran the
// tests would start bots without end.
const isBot = "GAMEBOTS_SUBMISSION_BOT"

// TestMain lets the test binary be the program of a folder:
// "KIND play acpc HOST PORT --config poker.toml".
func TestMain(m *testing.M) {
	if os.Getenv(isBot) != "" {
		if len(os.Args) < 6 {
			os.Exit(2)
		}
		play := func() error { return beBot(os.Args[1], net.JoinHostPort(os.Args[4], os.Args[5])) }
		if os.Args[3] == "mit" {
			play = func() error { return beMIT(os.Args[1], net.JoinHostPort("127.0.0.1", os.Args[6])) }
		}
		if err := play(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func beBot(kind, addr string) error {
	if _, err := os.Stat("poker.toml"); err != nil {
		return err // the script starts it in its own folder
	}
	if cache := os.Getenv("XDG_CACHE_HOME"); !filepath.IsAbs(cache) || filepath.Base(cache) != "cache" {
		return fmt.Errorf("the cache is %q", cache)
	}
	if kind == "dies" {
		return errors.New("out of luck")
	}
	conn, err := client.Dial(context.Background(), addr, 0)
	if err != nil {
		return err
	}
	if kind == "talks nonsense" {
		fmt.Fprintf(conn, "%sMATCHSTATE:nonsense\r\n", client.Version)
		_, err := io.Copy(io.Discard, conn)
		return err
	}
	if kind == "quits" {
		fmt.Fprint(conn, client.Version)
		_, err := conn.Read(make([]byte, 1))
		conn.Close()
		return errors.Join(err, errors.New("had enough"))
	}
	if kind == "wrong" {
		return foldAlways(conn)
	}
	player, err := poker.NewOpponent(kind, 1)
	if err != nil {
		return err
	}
	return (&client.Client{Game: kuhn(), Player: player}).Play(context.Background(), conn)
}

// beMIT plays at the engine of MIT Pokerbots. A kind of one letter is the answer to everything.
func beMIT(kind, addr string) error {
	if kind == "dies" {
		return errors.New("out of luck")
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	if len(kind) > 1 {
		game, err := configs.Game(mit.Game)
		if err != nil {
			return err
		}
		player, err := poker.NewOpponent(kind, 1)
		if err != nil {
			return err
		}
		return (&mit.Client{Game: game, Player: player}).Play(context.Background(), conn)
	}
	for lines := bufio.NewScanner(conn); lines.Scan() && lines.Text() != "Q"; {
		fmt.Fprintln(conn, kind)
		if kind == "X" {
			return conn.Close()
		}
	}
	return nil
}

// foldAlways folds when checking is free, which the dealer plays as a call with a
// warning.
func foldAlways(conn net.Conn) error {
	fmt.Fprint(conn, client.Version)
	lines := bufio.NewScanner(conn)
	g := kuhn()
	for lines.Scan() {
		m, _, err := g.ParseMatchState(lines.Text())
		if err != nil {
			return err
		}
		if m.Actor() == m.Viewer {
			fmt.Fprintf(conn, "%s:f\r\n", lines.Text())
		}
	}
	return lines.Err()
}

func kuhn() *acpc.Game {
	file, text, err := configs.GameText("kuhn")
	if err != nil {
		panic(err)
	}
	g, err := acpc.ParseGame(file, text)
	if err != nil {
		panic(err)
	}
	return g
}

// folder makes a folder whose program is this test as a bot of a kind, with a line
// of shell before it.
func folder(t *testing.T, kind, shell string) string {
	t.Helper()
	dir, e := entry(t, kind, shell)
	made := filepath.Join(dir, "new", "folder")
	if err := e.Write(made); err != nil {
		t.Fatal(err)
	}
	return made
}

// entry returns the contents of such a folder, and where it may be.
func entry(t *testing.T, kind, shell string) (string, *Entry) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "program")
	script := fmt.Sprintf("#!/bin/sh\n%s\n%s=1 exec '%s' '%s' \"$@\"\n", shell, isBot, os.Args[0], kind)
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	strategy := filepath.Join(dir, "my.strategy")
	if err := os.WriteFile(strategy, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "cards.buckets")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, &Entry{Prepared: []string{kept}, Name: "Deep Test", Program: file, Strategy: strategy, Game: kuhn(),
		Settings: configs.DefaultPoker()}
}

// TestEntry checks the contents of a folder, and that it is not overwritten.
func TestEntry(t *testing.T) {
	dir := folder(t, "call", "")
	for name, mode := range map[string]os.FileMode{"startme.sh": 0o755, "gamebots": 0o755, "README": 0o644,
		"THIRD_PARTY.txt": 0o644, "poker.toml": 0o644, "my.strategy": 0o644, "cache/gamebots/cards.buckets": 0o644} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "README"))
	if err != nil || !strings.HasPrefix(string(text), "Deep Test, a poker bot\n") ||
		!strings.Contains(string(text), "\npoker.toml   the settings\nmy.strategy  the strategy\n") {
		t.Errorf("error %v, README\n%s", err, text)
	}
	loaded := configs.DefaultPoker()
	if err := configs.Load(filepath.Join(dir, "poker.toml"), &loaded, nil); err != nil ||
		loaded.Bot.Strategy != "my.strategy" {
		t.Errorf("%+v, error %v", loaded, err)
	}
	e := Entry{Game: kuhn(), Program: "/none/such", Strategy: "/none/such"}
	const hint = "name a folder that does not exist yet, or remove this one"
	if err := e.Write(dir); err == nil || usererr.Hint(err) != hint {
		t.Errorf("written over a folder: %v", err)
	}
	fresh := filepath.Join(t.TempDir(), "x")
	if err := e.Write(fresh); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	left, err := os.ReadDir(filepath.Dir(fresh))
	if err != nil || len(left) != 0 {
		t.Errorf("%v is left after an error, %v", left, err)
	}
}

// TestCheck checks folders that are right, moved, and wrong in one way each.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, kind, shell string
		change            func(dir string) error
		broken            string // the rules, or ""
		reason            string
	}{
		{name: "right", kind: "raise"},
		{name: "warnings", kind: "wrong", broken: "warnings of the dealer, against a random player",
			reason: "WARNING: invalid action"},
		{name: "a bot that loses", kind: "fold", broken: "against a random player"},
		{name: "dies at once", kind: "dies", broken: "hands",
			reason: "startme.sh ended before the match: exit status 1; it said: out of luck"},
		{name: "leaves", kind: "quits", broken: "hands", reason: "had enough"},
		{name: "no README", kind: "raise",
			change: func(dir string) error { return os.Remove(filepath.Join(dir, readme)) }, broken: "files"},
		{name: "not for all to start", kind: "raise",
			change: func(dir string) error { return os.Chmod(filepath.Join(dir, startMe), 0o700) }, broken: "files"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "moved away")
			if err := os.Rename(folder(t, test.kind, test.shell), dir); err != nil {
				t.Fatal(err)
			}
			if test.change != nil {
				if err := test.change(dir); err != nil {
					t.Fatal(err)
				}
			}
			var hands uint32
			c := Check{Dir: dir, Game: kuhn(), Hands: 3100, OnHand: func(played, of uint32) {
				if hands++; played != hands || of != 3100 {
					t.Errorf("%d of %d hands are played after %d", played, of, hands)
				}
			}}
			v, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, f := range v.Findings {
				if !f.OK {
					broken = append(broken, f.Rule)
				}
			}
			if got := strings.Join(broken, ", "); got != test.broken || v.OK() != (test.broken == "") ||
				!strings.Contains(v.Reason, test.reason) {
				t.Errorf("broken %q because of %q, want %q because of %q\n%+v", got, v.Reason, test.broken,
					test.reason, v.Findings)
			}
			if test.broken != "" {
				return
			}
			decisions := 0
			for _, f := range v.Findings {
				switch f.Rule {
				case "hands":
					if f.Got != "3100 in 2 matches" {
						t.Errorf("hands: %s", f.Got)
					}
				case "decision, mean":
					_, text, _ := strings.Cut(f.Got, " of ")
					decisions, _ = strconv.Atoi(text)
				}
			}
			if hands != 3100 || decisions < 3100 {
				t.Errorf("%d hands and %d decisions", hands, decisions)
			}
		})
	}
}

// Folders for MIT Pokerbots whose bots answer right, wrong, and not at all.
func TestMITCheck(t *testing.T) {
	game, err := configs.Game(mit.Game)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kind, illegal, broken, reason string
		prepared                      bool
	}{
		{kind: "random", illegal: "0"},
		{kind: "call", illegal: "0", prepared: true},
		{kind: "raise", illegal: "0"},
		{kind: "fold", illegal: "0"},
		{kind: "K", illegal: "225", broken: "answers that are illegal"},
		{kind: "X", illegal: "1", broken: "rounds, answers that are illegal, match"},
		{kind: "dies", broken: "match", reason: "it said: out of luck"},
	} {
		t.Run(test.kind, func(t *testing.T) {
			t.Parallel()
			dir, e := entry(t, test.kind, "")
			if e.Game = game; !test.prepared {
				e.Prepared = nil
			}
			dir = filepath.Join(dir, "mit")
			if err := e.WriteMIT(dir); err != nil {
				t.Fatal(err)
			}
			v, err := (&MITCheck{Dir: dir, Rounds: 500}).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			illegal := ""
			for _, f := range v.Findings {
				if !f.OK {
					broken = append(broken, f.Rule)
				}
				if f.Rule == "answers that are illegal" {
					illegal = f.Got
				}
			}
			got := strings.Join(broken, ", ")
			if got != test.broken || illegal != test.illegal || v.Reason != test.reason {
				t.Errorf("%+v", v)
			}
		})
	}
}

// An answer is legal within the bounds of a raise, and only where it is a choice.
func TestLegal(t *testing.T) {
	for _, test := range []struct {
		choices, answer string
		want            bool
	}{
		{"FCR4:400", "F", true}, {"FCR4:400", "C", true}, {"FCR4:400", "K", false}, {"FCR4:400", "R4", true},
		{"FCR4:400", "R400", true}, {"FCR4:400", "R3", false}, {"FCR4:400", "R401", false}, {"FCR4:400", "R", false},
		{"FCR4:400", "", false}, {"FCR4:400", "FC", false}, {"FC", "R0", false}, {"FC", "R4", false}, {"K", "K", true},
	} {
		if legal(test.choices, test.answer) != test.want {
			t.Errorf("%q of %s: %t", test.answer, test.choices, !test.want)
		}
	}
}

// TestLingering checks a folder that leaves a process behind.
func TestLingering(t *testing.T) {
	defer func(was time.Duration) { linger = was }(linger)
	linger = 300 * time.Millisecond
	v, err := (&Check{Dir: folder(t, "raise", "sleep 60 &"), Game: kuhn(), Hands: 3100}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Findings {
		if f.OK == (f.Rule == "end after the match") {
			t.Errorf("%+v", f)
		}
	}
}

// TestCancelled ends a check with its context, and no process is left.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	c := Check{Dir: folder(t, "talks nonsense", ""), Game: kuhn()}
	if _, err := c.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestFolderName(t *testing.T) {
	for game, want := range map[string]string{
		"holdem-limit-2p": "submission_2pl 3000", "holdem-nolimit-2p": "submission_2pn 3000",
		"holdem-limit-3p":   "submission_3pl 1000",
		"holdem-nolimit-3p": " 1000", "leduc": " 3000", "kuhn-3p": " 1000", "holdem-limit-flop": " 3000",
	} {
		file, text, err := configs.GameText(game)
		if err != nil {
			t.Fatal(err)
		}
		g, err := acpc.ParseGame(file, text)
		if err != nil {
			t.Fatal(err)
		}
		if name, hands := FolderName(g); fmt.Sprintf("%s %d", name, hands) != want {
			t.Errorf("%s: %s, %d hands, want %s", game, name, hands, want)
		}
	}
}

// With few hands only a significant loss breaks the rule, and a single hand is never one.
func TestLoss(t *testing.T) {
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		won   []float64
		total uint32
		ok    bool
	}{
		"one hand":                {[]float64{-3000}, 1, true},
		"two hands":               {[]float64{-3000, -2900}, 2, false},
		"two that may be luck":    {[]float64{-3000, 2000}, 2, true},
		"all hands":               {[]float64{-1, 0}, RuleHands, false},
		"all hands without a bet": {[]float64{0, 0}, RuleHands, true},
	} {
		var a tallies
		for _, x := range test.won {
			a.won.Add(x)
		}
		var v Verdict
		(&Check{Game: game}).judge(&v, &a, test.total, nil)
		if f := v.Findings[len(v.Findings)-1]; f.Rule != "against a random player" || f.OK != test.ok {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
