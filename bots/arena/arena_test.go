package arena

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/configs"

	"go.uber.org/goleak"
)

// TestMain lets the test binary be a bot: "bot KIND HOST PORT".
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "bot" {
		if err := playAs(os.Args[2], net.JoinHostPort(os.Args[3], os.Args[4])); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	grace = 300 * time.Millisecond
	goleak.VerifyTestMain(m)
}

func playAs(kind, addr string) error {
	if kind == "breaks" { // breaks off in the middle of a hand
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_, err = conn.Write([]byte("VERSION:2.0.0\r\n"))
		}
		if err == nil {
			_, err = conn.Read(make([]byte, 1))
		}
		return errors.Join(err, errors.New("broken"))
	}
	p, err := poker.NewOpponent(kind, 1)
	if err != nil {
		return err
	}
	conn, err := client.Dial(context.Background(), addr, 0)
	if err != nil {
		return err
	}
	_, text, _ := configs.GameText("kuhn")
	g, _ := acpc.ParseGame("kuhn", text)
	return (&client.Client{Game: g, Player: p}).Play(context.Background(), conn)
}

func bot(kind string) Bot { return Bot{Name: kind, Command: []string{os.Args[0], "bot", kind}} }

func duplicate(t *testing.T, a, b Bot, hands uint32) *DuplicateMatch {
	t.Helper()
	_, text, err := configs.GameText("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame("kuhn", text)
	if err != nil {
		t.Fatal(err)
	}
	return &DuplicateMatch{Game: g, Hands: hands, Seed: 1, A: a, B: b}
}

// TestDuplicateMatch plays bots whose results are known: who always raises wins an ante
// from who always folds, on every deal and from both seats.
func TestDuplicateMatch(t *testing.T) {
	var log bytes.Buffer
	d := duplicate(t, bot("raise"), bot("fold"), 50)
	d.Log = &log
	o, err := d.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o.A.N != 50 || o.A.Mean() != 1 || o.A.Interval95() != 0 {
		t.Errorf("%d deals, mean %v ± %v, want 50, 1 ± 0", o.A.N, o.A.Mean(), o.A.Interval95())
	}
	for _, score := range []string{"SCORE:50|-50:raise|fold\n", "SCORE:-50|50:fold|raise\n"} {
		if !strings.Contains(log.String(), score) {
			t.Errorf("the log has no %q", score)
		}
	}
	// The same bot on both sides of every deal comes out even.
	if o, err = duplicate(t, bot("call"), bot("call"), 20).Play(t.Context()); err != nil || o.A.Mean() != 0 {
		t.Errorf("mean %v, error %v of a bot against itself", o.A.Mean(), err)
	}
}

// TestFailingBots must end, and say why.
func TestFailingBots(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "silent.sh")
	if err := os.WriteFile(silent, []byte("#!/bin/sh\nexec sleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		bot  Bot
		want string
	}{
		{"unknown kind", t.Context(), bot("clever"), "clever"},
		{"no program", t.Context(), Bot{Name: "none", Command: []string{"/none/such"}}, "no such file"},
		{"silent", ctx, Bot{Name: "silent", Command: []string{silent}}, "deadline"},
	} {
		_, err := duplicate(t, bot("call"), test.bot, 10).Play(test.ctx)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %q", test.name, err, test.want)
		}
	}
}

// broken is a player in process that fails.
type broken struct{ err error }

func (b broken) Act(context.Context, *acpc.MatchState) (acpc.Action, error) {
	return acpc.Action{}, b.err
}

// TestBlame has one bot fail beside one in process that does not, and whose
// connection ends with the match: the error is about the first.
func TestBlame(t *testing.T) {
	caller, err := poker.NewOpponent("call", 1)
	if err != nil {
		t.Fatal(err)
	}
	inside := Bot{Name: "innocent", Player: caller}
	script := func(text string) Bot {
		file := filepath.Join(t.TempDir(), "bot.sh")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return Bot{Name: "guilty", Command: []string{file}}
	}
	d := duplicate(t, inside, inside, 10)
	const late = "timed out waiting for seat 2 to connect"
	for _, test := range []struct {
		name string
		bot  Bot
		want string
	}{
		{"never comes", script("exec sleep 60"), late},
		{"ends at once", script("exit 0"), late},
		{"fails at once", script("exit 3"), "exit status 3"},
		{"breaks", Bot{Name: "guilty", Command: []string{os.Args[0], "bot", "breaks"}}, "exit status 1: broken"},
		{"fails in process", Bot{Name: "guilty", Player: broken{errors.New("no idea")}}, "hand 0: player: no idea"},
	} {
		m := &dealer.Match{
			Name: "blame", Game: d.Game, GameFile: "kuhn", Hands: 10, Names: []string{"innocent", "guilty"},
			Limits: dealer.DefaultLimits,
		}
		if test.want == late {
			m.Limits.Start = 300 * time.Millisecond
		}
		_, err := Host(t.Context(), m, []Bot{inside, test.bot}, dealer.Record{})
		if err == nil || !strings.HasPrefix(err.Error(), "bot guilty: "+test.want) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
}

// full is a disk that is full after that number of lines.
type full int

var errFull = errors.New("the disk is full")

func (f *full) Write(line []byte) (int, error) {
	if *f--; *f < 0 {
		return 0, errFull
	}
	return len(line), nil
}

// A log that cannot be written is the error, not its consequences for the bots.
func TestFullDisk(t *testing.T) {
	d, disk := duplicate(t, bot("call"), bot("raise"), 1000), full(50)
	d.Log = &disk
	if _, err := d.Play(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
