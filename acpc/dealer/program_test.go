package dealer

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/client"
)

// ran is the outcome of a program.
type ran struct {
	stdout, stderr string
	err            error
}

// runProgram runs a command line in which m is the match, with a player at
// every port.
func runProgram(t *testing.T, g *acpc.Game, p acpc.Player, args ...string) ran {
	t.Helper()
	ours, theirs := io.Pipe()
	var stderr bytes.Buffer
	var err error
	var running sync.WaitGroup
	running.Go(func() {
		program := Program{Stdout: theirs, Stderr: &stderr, ReadGame: func(name string) (string, error) {
			if name == "absent" {
				return "", os.ErrNotExist
			}
			if text, ok := strings.CutPrefix(name, "text:"); ok {
				return text, nil
			}
			return g.String(), nil
		}}
		err = program.Run(t.Context(), args)
		theirs.Close()
	})
	lines := bufio.NewReader(ours)
	first, _ := lines.ReadString('\n')
	for port := range strings.FieldsSeq(first) {
		if _, err := strconv.Atoi(port); err != nil {
			break // the usage
		}
		conn, err := client.Dial(t.Context(), "127.0.0.1:"+port, 0)
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			c := client.Client{Game: g, Player: p}
			c.Play(t.Context(), conn)
		})
	}
	rest, readErr := io.ReadAll(lines)
	running.Wait()
	if readErr != nil {
		t.Fatal(readErr)
	}
	return ran{first + string(rest), stderr.String(), err}
}

// TestProgram plays a match and looks at all that it leaves. TestReferenceWire
// compares standard error line by line.
func TestProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	g := kuhn()
	got := runProgram(t, g, bot(mixed), "m", "kuhn.game", "-T", "3", "42", "Alice", "Bob")
	if got.err != nil {
		t.Fatal(got.err)
	}
	match := newMatch(kuhn(), 3)
	match.Name = "m"
	log := string(record(t, match, bot(mixed), bot(mixed)))
	compareLines(t, readFile(t, "m.log"), log)
	score := log[strings.Index(log, "SCORE"):]
	ports, rest, _ := strings.Cut(got.stdout, "\n")
	mustBe(t, "ports", len(strings.Fields(ports)), 2)
	mustBe(t, "standard output", rest, score)
	header := log[:strings.Index(log, "STATE")]
	start := header + "STARTED at TIME\nTO 1 at TIME MATCHSTATE:0:0::Qs|\r\n"
	if !strings.HasPrefix(timeless(got.stderr), start) {
		t.Errorf("standard error %q does not start with %q", got.stderr, start)
	}
	if !strings.HasSuffix(timeless(got.stderr), "FINISHED at TIME\n"+score) {
		t.Errorf("standard error ends in %q", got.stderr)
	}
	actions := strings.Count(readFile(t, "m.tlog"), "\n")
	mustBe(t, "answers on standard error", strings.Count(got.stderr, "FROM "), actions)

	// Quietly, with other files.
	got = runProgram(t, g, bot(mixed), "q", "kuhn.game", "3", "42", "Alice", "Bob", "-ql")
	mustBe(t, "quiet standard error", got.stderr, strings.Replace(header, " m ", " q ", 1)+score)
	if files, _ := filepath.Glob("q*"); len(files) != 0 {
		t.Errorf("-l leaves %v", files)
	}
}

// TestResume cuts the files of a match as a dead dealer may leave them, and
// resumes it.
func TestResume(t *testing.T) {
	t.Chdir(t.TempDir())
	g := leduc()
	args := []string{"m", "leduc.game", "6", "9", "Alice", "Bob", "-T", "-a", "-q"}
	run := func() string {
		got := runProgram(t, g, bot(mixed), args...)
		if got.err != nil {
			t.Fatalf("%v: %s", got.err, got.stderr)
		}
		_, score, _ := strings.Cut(got.stdout, "\n")
		return score
	}
	whole := run()
	log, transactions := readFile(t, "m.log"), readFile(t, "m.tlog")
	for cut := 0; cut <= len(transactions); cut += 19 {
		past := transactions[:cut]
		complete := strings.Count(past, "\n")
		lines := strings.SplitAfter(transactions, "\n")
		lines = lines[:len(lines)-1]
		over := handsOver(lines[:complete], lines)
		// The dealer may have died before it logged the last hand, or in the
		// middle of that.
		for _, unlogged := range []int{0, 1} {
			end := hands(log, max(0, over-unlogged))
			if unlogged == 1 && over > 0 {
				end += 10
			}
			writeFile(t, "m.log", log[:end])
			writeFile(t, "m.tlog", past)
			mustBe(t, "score", run(), whole)
			if _, err := Replay("m.log", strings.NewReader(readFile(t, "m.log")), g); err != nil &&
				cut < len(transactions) {
				t.Fatalf("after %d bytes of transactions, %d hands unlogged: %v", cut, unlogged, err)
			}
			compareLines(t, timeless(readFile(t, "m.tlog")), timeless(transactions))
		}
	}

	// What is over gets its score once more.
	writeFile(t, "m.log", log)
	writeFile(t, "m.tlog", transactions)
	mustBe(t, "score", run(), whole)
	twice := readFile(t, "m.log")
	if got, err := Replay("m.log", strings.NewReader(twice), g); err != nil || len(got) != 1 {
		t.Errorf("%d matches, %v in\n%s", len(got), err, twice)
	}
	i := strings.LastIndex(twice, "SCORE:") + len("SCORE:")
	if _, err := Replay("m.log", strings.NewReader(twice[:i]+"1"+twice[i:]), g); err == nil {
		t.Error("another score is right too")
	}

	// The original logs nothing again, and takes a torn line for one.
	args = append(args, "--strict-original")
	writeFile(t, "m.log", log[:hands(log, 0)])
	writeFile(t, "m.tlog", transactions)
	mustBe(t, "score", run(), whole)
	mustBe(t, "hands in a strict log", strings.Count(readFile(t, "m.log"), "STATE"), 0)
	writeFile(t, "m.tlog", "c 0 1")
	if got := runProgram(t, g, bot(mixed), args...); !strings.HasSuffix(got.stderr,
		"ERROR: could not parse transaction stamp c 0 1\n") {
		t.Errorf("a torn line, strictly: %q", got.stderr)
	}
}

// hands returns the offset in a log after n hands.
func hands(log string, n int) int {
	if i := strings.Index(log, "STATE:"+strconv.Itoa(n)+":"); i >= 0 {
		return i
	}
	return strings.Index(log, "SCORE")
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestTransactionErrors resumes from files that are not of the match.
func TestTransactionErrors(t *testing.T) {
	const times = " 1.000000 2.000000\n"
	for text, want := range map[string]string{
		"c 5" + times:    "ERROR: handId mismatch in transaction log: c 5 1.000000 2.000000\n",
		"hello\n":        "ERROR: could not parse transaction stamp hello\n",
		"c 0 x 2.000\n":  "ERROR: could not parse transaction stamp c 0 x 2.000\n",
		"r 0" + times:    "ERROR: could not parse transaction stamp r 0 1.000000 2.000000\n", // 0 is the size
		"r\n":            "ERROR: could not parse transaction action r\n",
		"r1 0" + times:   "ERROR: invalid action in transaction log: r1 0 1.000000 2.000000\n",
		"x 0" + times:    "ERROR: invalid action in transaction log: x 0 1.000000 2.000000\n",
		"c 0 1.0 9999.0": "ERROR: seat 1 ran out of time in transaction file\n",
	} {
		g := leduc()
		var messages strings.Builder
		conns, wait := connect([]peer{answering(g), answering(g)})
		_, err := newMatch(g, 1).Serve(t.Context(), conns,
			Record{Messages: &messages, Quiet: true, Past: strings.NewReader(text)})
		wait()
		if err == nil || complaints(messages.String()) != want {
			t.Errorf("%q: %q, want %q", text, complaints(messages.String()), want)
		}
	}
}

func TestProgramErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	const fifth = "limit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nraiseSize = 1 1 1 1 1\nnumSuits = 1\n" +
		"numRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0\n"
	tests := []struct {
		args   []string
		stderr string // its end; "" is the usage on standard output
	}{
		{nil, ""},
		{[]string{"m", "kuhn", "10"}, ""},
		{[]string{"m", "kuhn", "10", "1", "A"}, ""},
		{[]string{"m", "kuhn", "0", "1", "A", "B"}, "ERROR: invalid number of hands 0\n"},
		{[]string{"m", "kuhn", "4294967296", "1", "A", "B"}, "ERROR: invalid number of hands 4294967296\n"},
		{[]string{"m", "kuhn", "x", "1", "A", "B"}, "ERROR: invalid number of hands x\n"},
		{[]string{"m", "kuhn", "1", "x", "A", "B"}, "ERROR: invalid random number seed x\n"},
		{[]string{"m", "absent", "1", "1", "A", "B"}, "ERROR: could not open game definition absent\n"},
		{[]string{"m", "text:limit", "1", "1", "A", "B"},
			"invalid number of rounds: 0\nERROR: could not read game text:limit\n"},
		{[]string{"m", "text:" + fifth, "1", "1", "A", "B"}, "ERROR: could not read game text:" + fifth + "\n"},
		{[]string{"no/m", "kuhn", "1", "1", "A", "B"},
			"ERROR: could not open log file no/m.log: no such file or directory\n"},
		{[]string{"no/m", "kuhn", "1", "1", "A", "B", "-lT"},
			"ERROR: could not open transaction file no/m.tlog: no such file or directory\n"},
	}
	for _, tt := range tests {
		got := runProgram(t, kuhn(), bot(call), tt.args...)
		if got.err == nil || !strings.HasSuffix(got.stderr, tt.stderr) ||
			strings.HasPrefix(got.stdout, "usage: ") != (tt.stderr == "") {
			t.Errorf("%q: %v, standard error %q, output %q", tt.args, got.err, got.stderr, got.stdout)
		}
		if errors.Is(got.err, ErrUsage) != (tt.stderr == "") {
			t.Errorf("%q: error %v", tt.args, got.err)
		}
	}
}

// TestStrictOriginal plays hands at which the original hangs, aborts or loses chips
// at, in the dealer's way and in the original's.
func TestStrictOriginal(t *testing.T) {
	t.Chdir(t.TempDir())
	const start = "nolimit\nnumPlayers = 2\nnumRounds = 1\nnumSuits = 1\nnumRanks = 3\nnumHoleCards = 1\n" +
		"numBoardCards = 0\n"
	const short = "limit\nnumPlayers = 3\nnumRounds = 1\nstack = 15 100 100\nblind = 5 10 0\nraiseSize = 10\n" +
		"firstPlayer = 2\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0\n"
	raise := func(m *acpc.MatchState) (acpc.Action, error) {
		if m.Viewer != 1 && m.NumActions() < 3 {
			return acpc.Action{Type: acpc.Raise}, nil
		}
		return call(m)
	}
	tests := []struct {
		name, game   string
		player       bot
		log          string // its hand
		strict       string // the hand or the error
		strictErrors bool
	}{
		{"all-in from the blinds", start + "stack = 1 1\nblind = 1 1\n", call,
			"STATE:0::Qs|Ks:-1|1:A|B", "ERROR: all players are all-in from the blinds, where the original server hangs",
			true},
		{"showdown without chips", start + "stack = 9 9\nblind = 0 0\n", call,
			"STATE:0:cc:Qs|Ks:0|0:A|B", "ERROR: a showdown without chips, where the original server aborts", true},
		{"raise of a short stack", short, raise,
			"STATE:0:crcc:Qh|Ah|As:-15|7.5|7.5:A|B|C", "STATE:0:crrcc", false},
	}
	for _, tt := range tests {
		g, err := acpc.ParseOriginal("g", tt.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, strict := range []bool{false, true} {
			args := append([]string{"m", "text:" + tt.game, "1", "42"}, strings.Split("A B C", " ")[:g.NumPlayers]...)
			want := tt.log
			if strict {
				args, want = append(args, "--strict-original"), tt.strict
			}
			got := runProgram(t, g, tt.player, append(args, "-q")...)
			if failed := strict && tt.strictErrors; failed != (got.err != nil) ||
				!strings.Contains(readFile(t, "m.log")+got.stderr, want) {
				t.Errorf("%s, strict %v: %v, log %q, standard error %q", tt.name, strict, got.err, readFile(t, "m.log"),
					got.stderr)
			}
		}
	}
}
