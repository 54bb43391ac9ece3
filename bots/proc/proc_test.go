//go:build unix

package proc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gamebots/bots/havannahbot"
	"gamebots/bots/nimbot"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/gtp"
	"gamebots/hexproto/wire"

	"go.uber.org/goleak"
)

// The test program is also the engines of the tests: its first argument says
// which.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "engine=") {
		serve(strings.TrimPrefix(os.Args[1], "engine="))
		return
	}
	goleak.VerifyTestMain(m)
}

func serve(kind string) {
	fmt.Fprintln(os.Stderr, "this is", kind)
	switch kind {
	case "good", "nim":
		e := &Engine{Rules: boards.Havannah{}, Bot: havannahbot.Bot(havannahbot.Random{Seed: 1}), Program: "good"}
		if kind == "nim" {
			e = &Engine{Rules: boards.Nim{}, Bot: nimbot.Bot(nimbot.XOR{}), Program: "nim"}
		}
		if e.Start(nil) != nil || gtp.Serve(context.Background(), e, os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
	case "cells", "noswap":
		e := strictEngine{&Engine{Rules: boards.Havannah{}, Program: kind}, kind == "cells"}
		if e.Start(nil) != nil || gtp.Serve(context.Background(), e, os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
	case "crash":
		bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(3)
	case "hang":
		if len(os.Args) > 2 { // names a file that is made once it has been asked for something
			bufio.NewReader(os.Stdin).ReadString('\n')
			os.WriteFile(os.Args[2], nil, 0o600)
		}
		select {}
	case "garbage":
		for range 1000 {
			fmt.Println("I am not an engine")
		}
		select {}
	case "endless":
		fmt.Print("= ")
		for {
			fmt.Println("and so on")
		}
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0], "engine=child")
		child.Start()
		fmt.Printf("= %d\n\n", child.Process.Pid)
		select {}
	case "parent":
		p, err := Start([]string{os.Args[0], "engine=child"}, time.Second)
		if err != nil {
			os.Exit(1)
		}
		bufio.NewReader(p.Out).ReadString('\n') // it has nothing more to write, which would end it
		fmt.Println(p.Pid)
		select {}
	case "child":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		select {}
	}
}

func engineOf(kind string) Bot {
	return Bot{Command: []string{os.Args[0], "engine=" + kind}, Grace: 100 * time.Millisecond}
}

func stateOf(rules, options string, moves ...string) *wire.Game {
	g := &wire.Game{Game: "g", Rules: rules, Options: json.RawMessage(options), Turn: len(moves), Moves: []wire.Move{}}
	for i, m := range moves {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: m})
	}
	return g
}

// clocked plays random moves a moment later than it could, and keeps what time it
// was given.
type clocked struct {
	hexproto.Engine
	budgets *[]hexproto.Budget
}

const moment = 20 * time.Millisecond

func (c clocked) Open(ctx context.Context, game *wire.Game, seat int) (hexproto.Engine, error) {
	e, err := havannahbot.Bot(havannahbot.Random{}).Open(ctx, game, seat)
	return clocked{Engine: e, budgets: c.budgets}, err
}

func (c clocked) Decide(ctx context.Context, game *wire.Game, b hexproto.Budget) (hexproto.Decision, error) {
	*c.budgets = append(*c.budgets, b)
	time.Sleep(moment)
	return c.Engine.Decide(ctx, game, b)
}

// An engine keeps its own clocks where the controller does not tell them, and a
// new game begins with all the time.
func TestClocksOfEngine(t *testing.T) {
	var budgets []hexproto.Budget
	e := &Engine{Rules: boards.Havannah{}, Bot: clocked{budgets: &budgets}}
	defer e.Close()
	commands := "time_settings 1 0 0\ngenmove white\ngenmove black\ngenmove white\ntime_left black 30 0\ngenmove " +
		"black\nclear_board\ngenmove white\n"
	var out strings.Builder
	if err := errors.Join(e.Start(nil), gtp.Serve(t.Context(), e, strings.NewReader(commands), &out)); err != nil {
		t.Fatal(err)
	}
	if len(budgets) != 5 {
		t.Fatalf("%d moves were asked for: %s", len(budgets), out.String())
	}
	for i, c := range []struct{ min, max time.Duration }{
		{time.Second, time.Second}, {time.Second, time.Second}, {0, time.Second - moment},
		{30 * time.Second, 30 * time.Second}, {time.Second, time.Second},
	} {
		if left := budgets[i].Left; left < c.min || left > c.max {
			t.Errorf("move %d had %v, and should have had %v to %v", i, left, c.min, c.max)
		}
	}
}

// The same bot in process and as an engine plays the same game, also after a
// takeback.
func TestSameGame(t *testing.T) {
	for _, c := range []struct {
		kind, options string
		rules         game.Rules
		bot           hexproto.Bot
	}{
		{"good", `{"side":4}`, boards.Havannah{}, havannahbot.Bot(havannahbot.Random{Seed: 1})},
		{"nim", `{"heaps":[3,4,5],"misere":true}`, boards.Nim{}, nimbot.Bot(nimbot.XOR{})},
	} {
		t.Run(c.kind, func(t *testing.T) {
			game, err := c.rules.New(json.RawMessage(c.options))
			if err != nil {
				t.Fatal(err)
			}
			state := stateOf(c.rules.About().Name, string(game.Options()))
			state.Game = "gtp" // seeds are made of the game's name
			state.Clock, state.Time.Left = wire.Clock{Main: 60000}, []int64{60000, 60000}
			var ends [2][2]hexproto.Engine
			for i, bot := range []hexproto.Bot{c.bot, engineOf(c.kind)} {
				for seat := range 2 {
					if ends[i][seat], err = bot.Open(t.Context(), state, seat); err != nil {
						t.Fatal(err)
					}
					defer ends[i][seat].Close()
				}
			}
			taken := false
			for game.Result() == nil {
				seat := state.Turn % 2
				var said [2]string
				for i := range ends {
					d, err := ends[i][seat].Decide(t.Context(), state, hexproto.NewBudget(state, seat, time.Now(), 0))
					if err != nil {
						t.Fatal(err)
					}
					said[i] = d.Move
				}
				if said[0] != said[1] {
					t.Fatalf("turn %d: %q in process, %q as an engine", state.Turn, said[0], said[1])
				}
				moves := make([]string, 2)
				moves[seat] = said[0]
				if err := game.Play(moves); err != nil {
					t.Fatal(err)
				}
				state.Moves = append(state.Moves, wire.Move{Turn: state.Turn, Seat: seat, Move: said[0]})
				state.Turn++
				if state.Turn == 3 && !taken {
					taken = true
					state.Moves, state.Turn = state.Moves[:1:1], 1
					game, _ = c.rules.New(json.RawMessage(c.options))
					game.Play([]string{state.Moves[0].Move, ""})
				}
			}
		})
	}
}

func TestBadEngines(t *testing.T) {
	for _, c := range []struct{ kind, want string }{
		{"crash", "exit status 3: this is crash"},
		{"hang", "deadline exceeded"},
		{"garbage", `"I am not an engine" is not an answer`},
		{"endless", "does not end"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			if c.kind != "hang" {
				ctx = context.WithoutCancel(ctx)
			}
			defer cancel()
			_, err := engineOf(c.kind).Open(ctx, stateOf("havannah", `{"side":4}`), 0)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := (Bot{Command: []string{"/no/such/engine"}}).Open(t.Context(),
		stateOf("havannah", `{"side":4}`), 0); err == nil {
		t.Error("no such engine was started")
	}
}

// Of engines that fail nothing is left, however often they are tried.
func TestFailedEnginesEnd(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	// It is asked again without a number, because its answer has none.
	const script = `sleep 60 & echo $$ $! >>"$0"; echo "? no"; echo; echo "? no"; echo; exec sleep 60`
	b := Bot{Command: []string{"sh", "-c", script, pids}}
	for range 10 {
		if _, err := b.Open(t.Context(), stateOf("havannah", `{"side":4}`), 0); err == nil {
			t.Fatal("it was opened")
		}
	}
	text, err := os.ReadFile(pids)
	all := strings.Fields(string(text))
	if err != nil || len(all) != 20 {
		t.Fatalf("%d programs: %v", len(all), err)
	}
	for _, field := range all {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		waitGone(t, pid)
	}
}

// Check distinguishes an engine that can play from programs that cannot.
func TestCheck(t *testing.T) {
	game := stateOf("havannah", `{"side":4}`)
	for _, g := range []*wire.Game{game, nil} {
		if err := hexproto.Check(t.Context(), engineOf("good"), g); err != nil {
			t.Error(err)
		}
	}
	strict := engineOf("good")
	strict.Setup = []string{"castle"}
	hang, asked := engineOf("hang"), filepath.Join(t.TempDir(), "asked")
	hang.Command = append(hang.Command, asked)
	for want, b := range map[string]Bot{
		"engine " + strings.Join(hang.Command, " ") + ": gtp: protocol_version: too late": hang,
		"it has ended: exit status 3: this is crash":                                      engineOf("crash"),
		"boardsize 4: unacceptable size":                                                  engineOf("nim"),
		"setup: gtp: castle: unknown command":                                             strict,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if strings.HasSuffix(want, "too late") {
			go func() {
				for _, err := os.Stat(asked); err != nil && ctx.Err() == nil; _, err = os.Stat(asked) {
					time.Sleep(time.Millisecond)
				}
				cancel(errors.New("too late"))
			}()
		}
		err := hexproto.Check(ctx, b, game)
		if cancel(nil); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// childOf reads the line in which a program reports its child.
func childOf(t *testing.T, p *Process) (pid int) {
	t.Helper()
	line, err := bufio.NewReader(p.Out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if pid, err = strconv.Atoi(strings.TrimSpace(line[strings.LastIndex(line, " ")+1:])); err != nil {
		t.Fatal(err)
	}
	return pid
}

// Close ends an engine that is deaf to everything, and its children.
func TestCloseKillsTheGroup(t *testing.T) {
	p, err := Start([]string{os.Args[0], "engine=deaf"}, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	child := childOf(t, p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	waitGone(t, child)
}

// Close does not wait for a child that left the group and keeps the pipes, with no
// grace either. On Linux it ends that child.
func TestCloseWithoutGrace(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	p, err := Start([]string{"sh", "-c", "setsid sh -c 'echo $$; exec sleep 60' & cat"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	child := childOf(t, p)
	defer syscall.Kill(child, syscall.SIGKILL)
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("Close waits for the child")
	}
	if runtime.GOOS == "linux" {
		waitGone(t, child)
	}
}

// An engine does not outlive a program that is killed.
func TestKilledParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell children")
	}
	p, err := Start([]string{os.Args[0], "engine=parent"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	child := childOf(t, p)
	if gone(child) {
		t.Fatal("the child has ended before its parent")
	}
	if err := syscall.Kill(p.Pid, syscall.SIGKILL); err != nil { // the parent alone
		t.Fatal(err)
	}
	waitGone(t, child)
}

// Of a program that talks much the end is kept.
func TestTail(t *testing.T) {
	var end tail
	for range 1000 {
		fmt.Fprintf(&end, "%0100d", 7)
	}
	if text := end.String(); len(text) != tailSize || !strings.HasSuffix(text, "007") {
		t.Errorf("%d bytes kept, want %d", len(text), tailSize)
	}
}

// waitGone waits until a process has ended.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for start := time.Now(); !gone(pid); time.Sleep(time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			t.Fatalf("process %d lives", pid)
		}
	}
}

// gone reports whether a process has ended, even if its new parent has not waited for it
// yet.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

// An engine that works when it is closed does not keep Close waiting.
func TestCloseWhileThinking(t *testing.T) {
	p, err := Start([]string{os.Args[0], "engine=hang"}, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{process: p, gtp: gtp.NewController(p.In, p.Out)}
	e.board.gtp = e.gtp
	decided := make(chan error, 1)
	go func() {
		_, err := e.Decide(context.Background(), stateOf("havannah", `{"side":4}`), hexproto.Budget{})
		decided <- err
	}()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := <-decided; err == nil {
		t.Error("a dead engine decides")
	}
}

// A program that has ended is not killed once more when another has its id.
func TestOtherHasTheID(t *testing.T) {
	other, err := Start([]string{"sleep", "60"}, time.Second) // the leader of a group
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	ended := &Group{Pid: other.Pid, mark: "GAMEBOTS_PROGRAM_ended=1", ended: make(chan struct{})}
	close(ended.ended)
	if ended.Alive() {
		t.Error("it lives")
	}
	ended.Terminate()
	ended.Kill()
	time.Sleep(50 * time.Millisecond)
	if gone(other.Pid) {
		t.Error("another program was killed")
	}
}

// Of a program that has ended, its children are killed.
func TestChildrenOfEnded(t *testing.T) {
	p, err := Start([]string{"sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	child := childOf(t, p)
	if err := p.Err(); err != nil || !p.Alive() {
		t.Errorf("its child lives: %t, %v", p.Alive(), err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	waitGone(t, child)
}
