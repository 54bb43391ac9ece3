package gtp_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"gamebots/bots/havannahbot"
	"gamebots/bots/proc"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/gtp"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func engine(t *testing.T) gtp.Engine {
	t.Helper()
	bot := havannahbot.Bot(havannahbot.Playouts{Games: 16})
	e := &proc.Engine{Rules: boards.Havannah{}, Bot: bot, Program: "gamebots", Release: "1"}
	if err := e.Start(nil); err != nil {
		t.Fatal(err)
	}
	return e
}

// A recorded session: a controller's commands and the answers.
func TestSession(t *testing.T) {
	in := strings.Join([]string{
		"1 protocol_version", "name", "", "# a remark", "2 known_command genmove", "known_command castle",
		"boardsize 99", "boardsize 4", "3 play white a1", "genmove w", "play white A1", "PLAY", "play b",
		"4\tplay black swap # takes over", "undo", "play black d4", "time_settings 60 0 0", "time_left w 30 0",
		"time_left w -5 0",
		"time_left w x", "time_left w -x 0",
		"play w a2", "play b d5", "play w a3", "play b d6", "5 genmove w", "result", "genmove b",
		"options {\"side\":3}", "options", "6",
		"quit", "name",
	}, "\r\n")
	var out strings.Builder
	if err := gtp.Serve(t.Context(), engine(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"=1 2", "= gamebots", "=2 true", "= false",
		"? unacceptable size", "=", "=3", "? it is not the turn of white", "? illegal move: a1: the cell is taken",
		"? unknown command", "? want play COLOUR MOVE",
		"=4", "=", "=", "=", "=", "=", "? want time_left COLOUR SECONDS STONES",
		`? "-x" is not a whole number from 0 up`,
		"=", "=", "=", "=", "=5 a4", "= white bridge", "? the game is over", "=", `= {"side":3}`, "?6 unknown command",
		"=", "",
	}
	if got := strings.Split(out.String(), "\n\n"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("answers\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A colour may move several times in a row, to set up a position, if a game leads to it.
func TestSetUp(t *testing.T) {
	in := strings.Join([]string{
		"options {\"side\":3}", "play w a1", "play w a2", "genmove b", "showboard", "moves", "play w a2", "play b a1",
		"play b c1", "reg_genmove b", "history", "showboard",
		"undo", "undo", "undo", "history", "genmove w", "clear_board", "play b c3", "reg_genmove w", "genmove b",
		"clear_board", "play w c1", "play b c5", "genmove b",
	}, "\n")
	var out strings.Builder
	if err := gtp.Serve(t.Context(), engine(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n\n")
	for i, want := range []string{
		"=", "=", "=", "? it cannot be the turn of black with 2 white and 0 black stones",
		"=\n      1 2 3\n  a  O O .  4\n b  . . . .  5\n",
		"? turns do not alternate yet",
		"? illegal move: a2: the cell is taken", "? illegal move: a1: the cell is taken", "=", "= ",
		"= white a1\nwhite a2\nblack c1", "=\n",
		"=", "=", "=", "=", "= ", "=", "=", "=", "? it is not the turn of black",
		"=", "=", "=", "= ",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) || strings.HasPrefix(want, "?") && got[i] != want {
			t.Fatalf("answer %d of\n%s\nis not %q", i, out.String(), want)
		}
	}
}

// GUIs swap by the word, or by the cell of the first stone as HGui does; both are a swap once, as
// the second move.
func TestSwap(t *testing.T) {
	in := strings.Join([]string{
		"boardsize 4", "play white d4", "play black d4", "history", "play white d4", "play white a1", "play black D4",
		"undo", "undo", "play black swap", "history", "clear_board", "play white d4", "play white d4",
		"play black e5", "play white d4", "hexgui-analyze_commands", "known_command hexgui-analyze_commands",
	}, "\n")
	want := []string{
		"=", "=", "=", "= white d4\nblack swap", taken, "=", taken, "=", "=",
		"=", "= white d4\nblack swap", "=", "=", taken, "=", taken,
		"= string/Legal moves/moves\nstring/Moves made/history\nstring/Result/result", "= true", "",
	}
	var out strings.Builder
	if err := gtp.Serve(t.Context(), engine(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(out.String(), "\n\n"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("answers\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const taken = "? illegal move: d4: the cell is taken"

// A board is drawn.
func TestShowBoard(t *testing.T) {
	var out strings.Builder
	in := "boardsize 4\nplay w c3\nplay b d3\nshowboard\n"
	if err := gtp.Serve(t.Context(), engine(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := `=
       1 2 3 4
   a  . . . .  5
  b  . . . . .  6
 c  . . O . . .  7
d  . .(X). . . .
 e  . . . . . .
  f  . . . . .
   g  . . . .

`
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("the answers are\n%swant\n%s", &out, want)
	}
}

// Both ends with each other.
func TestBothEnds(t *testing.T) {
	in, toEngine := io.Pipe()
	fromEngine, out := io.Pipe()
	e := engine(t)
	served := make(chan error, 1)
	go func() {
		served <- gtp.Serve(context.Background(), e, in, out)
		out.Close()
		in.Close()
	}()
	c := gtp.NewController(toEngine, fromEngine)
	defer c.Close()
	if text, err := c.Ask(t.Context(), "name"); err != nil || text != "gamebots" {
		t.Errorf("%q, %v", text, err)
	}
	refusal := (*gtp.Refusal)(nil)
	if _, err := c.Ask(t.Context(), "play", "white", "zz"); !errors.As(err, &refusal) {
		t.Errorf("%v is no refusal", err)
	}
	if text, err := c.Ask(t.Context(), "list_commands"); err != nil || !strings.Contains(text, "genmove\n") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := c.Ask(t.Context(), "play\nquit"); err == nil {
		t.Error("two commands are one")
	}
	if _, err := c.Ask(t.Context(), "quit"); err != nil {
		t.Error(err)
	}
	if _, err := c.Ask(t.Context(), "name"); err == nil {
		t.Error("an engine answers after quit")
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ name, out, want, err string }{
		{"plain", "=1 a1\n\n", "a1", ""},
		{"without an id", "= a1\n\n", "a1", ""},
		{"lines", "=1\n. .\n . .\n\n", ". .\n . .", ""},
		{"CRLF and empty lines before", "\r\n\r\n=1 a1\r\n\r\n", "a1", ""},
		{"a refusal", "?1 no\n\n", "", "genmove: no"},
		{"another's", "=2 a1\n\n", "", "for 2"},
		{"no answer", "hello\n\n", "", "not an answer"},
		{"an end", "=1 a1", "", "gone"},
		{"nothing", "", "", "gone"},
		{"a long line", "=1 " + strings.Repeat("x", 1<<20), "", "token too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctl := gtp.NewController(io.Discard, strings.NewReader(c.out))
			defer ctl.Close()
			got, err := ctl.Ask(t.Context(), "genmove")
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%v, want %q", err, c.err)
				}
			} else if err != nil || got != c.want {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// Whatever a controller says, the engine answers and lives.
func FuzzServe(f *testing.F) {
	f.Add("boardsize 4\nplay w a1\ngenmove b\n")
	f.Add("1 2 3\n\x00#\nundo\noptions {}\ntime_left b 1 1\nplay black swap\n")
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "genmove") && len(in) > 60 {
			t.Skip("thinking takes long")
		}
		var out strings.Builder
		e := &proc.Engine{Rules: boards.Havannah{}, Bot: havannahbot.Bot(havannahbot.Random{})}
		if err := e.Start([]byte(`{"side":3}`)); err != nil {
			t.Fatal(err)
		}
		if err := gtp.Serve(t.Context(), e, strings.NewReader(in), &out); err != nil && len(in) < 1000 {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n\n"); n > strings.Count(in, "\n")+1 {
			t.Fatalf("%d answers to %q: %q", n, in, out.String())
		}
	})
}

// Controllers of Go begin with black, and ask for the score. White then has the second move, and no swap.
func TestBlackBegins(t *testing.T) {
	in := strings.Join([]string{
		"boardsize 3", "final_score", "genmove b", "genmove b", "play w x", "undo", "history", "genmove b", "undo",
		"play b a1", "moves", "play w c5", "play b a2", "play w d5", "play b a3", "winner", "final_score",
	}, "\n")
	want := []string{
		"=", "? the game is not over", "= ", "? it is not the turn of black", "? illegal move: ", "=", "=", "= ", "=",
		"=", "= a2\na3\n", "=", "=", "=", "=", "= black", "= B+1",
	}
	var out strings.Builder
	if err := gtp.Serve(t.Context(), engine(t), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n\n")
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) || want[i] == "=" && got[i] != "=" {
			t.Fatalf("answer %d of\n%s\nis not %q", i, out.String(), want[i])
		}
	}
}

// An engine that knows no numbers of commands answers all of them, the first one after a second try. One that only
// does not echo them is asked by number.
func TestUnnumbered(t *testing.T) {
	for _, unknown := range []string{"? unknown command", "="} {
		commands, in := io.Pipe()
		out, answers := io.Pipe()
		var heard []string
		go func() {
			defer answers.Close()
			for s := bufio.NewScanner(commands); s.Scan(); {
				heard = append(heard, s.Text())
				answer := map[string]string{"boardsize": "=", "genmove": "= a1"}[strings.Fields(s.Text())[0]]
				io.WriteString(answers, cmp.Or(answer, unknown)+"\n\n")
			}
		}()
		c := gtp.NewController(in, out)
		defer c.Close()
		if _, err := c.Ask(t.Context(), "boardsize", "4"); err != nil {
			t.Error(err)
		}
		if move, err := c.Ask(t.Context(), "genmove", "white"); move != "a1" || err != nil {
			t.Errorf("%q, %v", move, err)
		}
		in.Close()
		if got := strings.Join(heard, ","); got != "1 boardsize 4,boardsize 4,genmove white" {
			t.Errorf("the engine hears %q", got)
		}
	}
	c := gtp.NewController(io.Discard, strings.NewReader("= a1\n\n= a2\n\n"))
	defer c.Close()
	for _, want := range []string{"a1", "a2"} {
		if move, err := c.Ask(t.Context(), "genmove", "white"); move != want || err != nil {
			t.Errorf("%q, %v, want %s", move, err, want)
		}
	}
}
