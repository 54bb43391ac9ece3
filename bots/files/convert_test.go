package files

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/testkit"
)

func run(t *testing.T, j Job, in string) (string, Result) {
	t.Helper()
	var out bytes.Buffer
	r, err := j.Run(strings.NewReader(in), &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), r
}

const leducLog = "# name/game/hands/seed my match somewhere/leduc.game 2 1\n" +
	"STATE:0:rc/crc:Ks|Qh/Qs:-6|6:Al|Bo\n" +
	"STATE:1:rf:Ah|Qh:1|-1:Bo|Al\n" +
	"SCORE:-7|7:Al|Bo\n"

// TestPoker finds format and game by itself.
func TestPoker(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	// The hands of the sample must be those of the shipped game.
	if g.Betting != acpc.Limit || g.RaiseSize[0] != 2 {
		t.Fatalf("leduc is now\n%v", g)
	}
	phh, r := run(t, Job{Name: "-"}, leducLog)
	if r != (Result{From: ACPC, To: PHH, Records: 2, Games: 1}) {
		t.Errorf("%+v", r)
	}
	if log, r := run(t, Job{Name: "-"}, phh); log != leducLog || r.From != PHH || r.Games != 1 {
		t.Errorf("%+v:\n%s\nfrom %s", r, log, phh)
	}
	table, _ := run(t, Job{Name: "-", To: CSV, Game: g}, leducLog)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 5 || rows[4][0] != "my match" || rows[4][3] != "Al" || rows[4][10] != "-1" {
		t.Errorf("error %v, rows %q", err, rows)
	}
	lines, _ := run(t, Job{Name: "x.log", To: JSONL}, leducLog)
	var hand struct {
		Match   string
		Players []string
		Values  []float64
	}
	if err := json.Unmarshal([]byte(strings.Split(lines, "\n")[1]), &hand); err != nil ||
		fmt.Sprint(hand) != "{my match [Bo Al] [1 -1]}" {
		t.Errorf("error %v, %v", err, hand)
	}
}

// TestSkip skips games that a log cannot represent.
func TestSkip(t *testing.T) {
	phh, _ := run(t, Job{Name: "-"}, leducLog)
	var skipped []string
	j := Job{Name: "x.phhs", OnSkip: func(err error) { skipped = append(skipped, err.Error()) }}
	log, r := run(t, j, strings.Replace(phh, "\"p2 f\"", "\"p2 g\"", 1))
	if r.Records != 1 || r.Skipped != 1 || len(skipped) != 1 ||
		!strings.Contains(skipped[0], "not an action of the format") || !strings.Contains(log, "STATE:0:") {
		t.Errorf("%+v, skipped %q:\n%s", r, skipped, log)
	}
}

const records = "one side=4 winner=white end=resign plies=4 pw=Ada pb=\"Bob B.\" : d4 swap c3 resign\n" +
	"two side=2 winner=unknown end=open plies=1 : b2\n"

// A full disk is one error, though the rest of the output meets it again.
func TestFullDisk(t *testing.T) {
	hands := strings.Repeat("STATE:0:rf:Ah|Qh:1|-1:Bo|Al\n", 2000)
	leduc, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	job := Job{From: ACPC, To: CSV, Name: "demo.log", Game: leduc}
	if _, err := job.Run(strings.NewReader(hands), fullDisk{}); err != errFull {
		t.Errorf("error %v", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestBoards(t *testing.T) {
	hgf, r := run(t, Job{Name: "x"}, "# comment\n"+records)
	if r != (Result{From: Text, To: HGF, Records: 2}) || strings.Count(hgf, "(;") != 2 {
		t.Errorf("%+v: %s", r, hgf)
	}
	if text, _ := run(t, Job{Name: "x"}, hgf); text != records {
		t.Errorf("%s\nis not %s", text, records)
	}
	const nims = "heaps=1;3;5;7 play=misere plies=2 : 1:1 2:3\n"
	if text, _ := run(t, Job{Name: "x.txt", To: Text}, nims); text != nims {
		t.Errorf("%s\nis not %s", text, nims)
	}
	table, _ := run(t, Job{Name: "x.txt", To: CSV}, records+nims)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 4 ||
		strings.Join(rows[1][:8], ";") != "havannah;one;Ada;Bob B.;white;resign;4;d4 swap c3" ||
		rows[3][8]+"\n" != nims {
		t.Errorf("error %v, rows %q", err, rows)
	}
	lines, _ := run(t, Job{Name: "x.txt", To: JSONL}, records)
	var game gameJSON
	if err := json.Unmarshal([]byte(strings.Split(lines, "\n")[0]), &game); err != nil || game.Tags["pw"] != "Ada" ||
		len(game.Moves) != 3 {
		t.Errorf("error %v, %+v", err, game)
	}
	var lost []string
	run(t, Job{Name: "x", OnLoss: func(what string) { lost = append(lost, what) }}, "two side=2 my-key=7 ev=x : b2\n")
	if len(lost) != 1 || !strings.Contains(lost[0], "my-key=7") {
		t.Errorf("lost %q", lost)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		job  Job
		in   string
		want string
	}{
		{Job{Name: "x"}, "", "x: neither its name nor"},
		{Job{Name: "x"}, "hello\n", "x: neither its name nor"},
		{Job{Name: "x", From: CSV}, "", "records are not read from"},
		{Job{Name: "x.log", To: "pdf"}, "", "records are not written as"},
		{Job{Name: "x.log", To: HGF}, "", "acpc cannot become hgf"},
		{Job{Name: "x.txt", To: ACPC}, "", "text cannot become acpc"},
		{Job{Name: "x.log"}, "STATE:0:f:Ks|Qs:1|-1:a|b\n", "x.log: no header says"},
		{Job{Name: "x.log"}, "# name/game/hands/seed a nogame.game 1 1\n",
			"x.log: the game nogame.game, which its header names, is not there"},
		{Job{Name: "x.log"}, leducLog + "STATE:2:rrrr:Ks|Qs:1|-1:a|b\n",
			"x.log:5: state, byte 11: raise not allowed now"},
		{Job{Name: "x.txt", To: ACPC}, "PokerStars Hand #1:  Hold'em No Limit\nSeat 1: a ($5 in chips)\n",
			"x.txt: it looks like a poker site's hand histories"},
		{Job{Name: "x.phh"}, "Poker Hand #HD1: Hold'em\r\nTable 'x' 6-max\r\nSeat 1: a ($5 in chips)\r\n",
			"x.phh: it looks like a poker site's hand histories"},
		{Job{Name: "x"}, "\ufeff***** Hand History for Game 1 *****\n",
			"x: it looks like a poker site's hand histories"},
		{Job{Name: "x.log", One: true}, leducLog, "a file named .phh is of one hand"},
		{Job{Name: "x.txt"}, "a side=4 : d4\nb side=4 : z9\n", "x.txt:2: broken record: move 1"},
		{Job{Name: "x.txt"}, "#\n", "x.txt: no game"},
		{Job{Name: "x.txt"}, "heaps=1 : \n", "x.txt:1: HGF has no games of Nim"},
		{Job{Name: "x.hgf"}, "(;SZ[4];W[a1])\n(;SZ[4];W[zz])", "x.hgf: broken record: line 2: game 2: move 1"},
	} {
		_, err := test.job.Run(strings.NewReader(test.in), new(bytes.Buffer))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.in, err, test.want)
		}
	}
}

// TestGameBesideLog prefers the file beside a log to a shipped game.
func TestGameBesideLog(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "leduc.game"), []byte("GAMEDEF\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	log := strings.Replace(leducLog, "somewhere/", "", 1)
	j := Job{Name: filepath.Join(dir, "x.log")}
	if _, err := j.Run(strings.NewReader(log), new(bytes.Buffer)); err == nil || errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "number of rounds") {
		t.Errorf("error %v", err)
	}
}

// otherHand is a hand of PHH as other programs write it.
const otherHand = `variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [%d, 200, 200]
actions = ["d dh p1 AhTs", "d dh p2 7d2c", "d dh p3 AsTh", "p3 f", "p1 f"]
`

// TestGameOfHands returns the game of hands that no header names, for a file beside the log.
func TestGameOfHands(t *testing.T) {
	one, other := fmt.Sprintf(otherHand, 150), fmt.Sprintf(otherHand, 160)
	log, r := run(t, Job{Name: "x.phhs"}, "[1]\n"+one+"[2]\n"+one)
	if r.Game == nil || r.Game.Stack != [acpc.MaxPlayers]int32{150, 200, 200} {
		t.Fatalf("game %v", r.Game)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "x.log")
	if err := os.WriteFile(GameBeside(name), []byte(r.Game.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if phh, _ := run(t, Job{Name: name, From: ACPC}, log); strings.Count(phh, "150, 200, 200") != 2 {
		t.Errorf("%s from %s", phh, log)
	}
	if _, r := run(t, Job{Name: "x.phhs"}, "[1]\n"+one+"[2]\n"+other); r.Game != nil || r.Games != 2 {
		t.Errorf("two games are %v", r.Game)
	}
	phh, _ := run(t, Job{Name: "-"}, leducLog)
	if _, r := run(t, Job{Name: "x.phhs"}, phh); r.Game != nil {
		t.Errorf("a header names the game, and %v is to be written", r.Game)
	}
}

// TestReferenceBoards takes the games of others to HGF and back: all but the
// tags that HGF has no place for.
func TestReferenceBoards(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "havannah/*games*.txt") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		canonical, first := run(t, Job{Name: file, To: Text}, string(text))
		var lost int
		hgf, _ := run(t, Job{Name: file, OnLoss: func(string) { lost++ }}, string(text))
		again, second := run(t, Job{Name: "x.hgf"}, hgf)
		if first.Records != second.Records || lost == 0 && again != canonical {
			t.Errorf("%s: %d games, then %d, and the records differ", file, first.Records, second.Records)
		}
		moves := func(s string) string {
			var b strings.Builder
			for line := range strings.Lines(s) {
				_, after, _ := strings.Cut(line, " : ")
				b.WriteString(after)
			}
			return b.String()
		}
		if moves(again) != moves(canonical) {
			t.Errorf("%s: other moves after HGF", file)
		}
	}
}
