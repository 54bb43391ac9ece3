package history

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"gamebots/acpc"
)

// texts of games that tests play.
const (
	limit3 = "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 4\nstack = 15 40 200\nblind = 5 10 0\n" +
		"raiseSize = 10 10 20 20\n" +
		"firstPlayer = 3 1 1 1\nmaxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n" +
		"numBoardCards = 0 3 1 1\nEND GAMEDEF\n"
	nolimit2 = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 20000 20000\nblind = 100 50\n" +
		"firstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
	normal2 = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 300 20000\nblind = 50 100\n" +
		"firstPlayer = 1 2 2 2\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
	glued = "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 1\nraiseSize = 2 4\nfirstPlayer = 1 1\n" +
		"maxRaises = 2 2\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 1 1\nEND GAMEDEF\n"
)

func gameOf(t testing.TB, text string) *acpc.Game {
	t.Helper()
	g, err := acpc.ParseGame("test.game", text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRoundTrip converts odd logs to PHH and back, and checks the PHH.
func TestRoundTrip(t *testing.T) {
	for _, test := range []struct{ name, game, log, phh string }{
		{"no-limit", nolimit2, "# name/game/hands/seed a match x.game 1 7\n" +
			"STATE:0:r300c/cr600c/cc/r1200f:9h7d|9cQc/6hTd7s/Qd/Ts:600|-600:Al|Bo\nSCORE:1|-1:Al|Bo\n",
			`"p1 cbr 600"`}, // 600 in this round, 1200 in the hand as the log counts
		{"all-in", nolimit2, "STATE:3:cr20000c///:8dJd|Td4d/As9d6s/3d/6c:-20000|20000:Al|Bo\n", `"p1 sm 8dJd",
  "p2 sm Td4d",
  "d db As9d6s",
  "d db 3d",
  "d db 6c",`},
		{"p1 is who acts first after the flop", normal2, "STATE:1:cc/cc/cc/cc:Js4s|9s5h/6h8s8c/Qs/Qd:-100|100:Al|Bo\n",
			`players = ["Bo", "Al"]`},
		{"expectations for values", nolimit2, "STATE:3:cr20000c///:8dJd|Td4d/As9d6s/3d/6c:1250.5|-1250.5:Al|Bo\n",
			"_acpc_line"},
		{"a lowered bet", limit3, "STATE:9:crrc/ccc/ccf/cc:5d7c|8d4c|3sJh/Ks4sQh/5s/5h:15|-15|0:Al|Bo|Ca\n", ""},
		{"hidden cards", nolimit2, "STATE:0:r300f:|9cQc:-100|100:Al|Bo\n", `"d dh p1 ????"`},
		{"hidden cards at a showdown", nolimit2, "STATE:0:cc/cc/cc/cc:|9cQc/6hTd7s/Qd/Ts:-100|100:Al|Bo\n",
			`"p2 sm 9cQc",` + "\n]"},
		{"hidden cards without stacks", strings.Replace(limit3, "stack = 15 40 200\n", "", 1),
			"STATE:0:ccc/ccc/ccc/ccc:|9cQc|2h2d/6hTd7s/Qd/Ts:-10|20|-10:Al|Bo|Ca\n", "_acpc_line"},
		{"hidden cards and more lost than there was", nolimit2,
			"STATE:0:cc/cc/cc/cc:|9cQc/6hTd7s/Qd/Ts:-20001|0:Al|Bo\n", "_acpc_line"},
		{"a board card in the first round", glued, "STATE:0:cc/rc:As|KdQh/2c:5|-5:Al|Bo\n", `"d db Qh"`},
		{"names and returns", nolimit2, "STATE:0:r300f:9h7d|9cQc:-100|100:Ä \"x\":y|a\\b\tc\r\n\r\n#\x01\n",
			`Ä \"x\":y`},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := gameOf(t, test.game)
			if test.name == "a lowered bet" {
				g.UnderRaise = true
				test.log = lowered(t, g)
				test.phh = `variant = "ACPC"`
			}
			phh := toPHH(t, NewLogReader(strings.NewReader(test.log), "x.log", g))
			if !bytes.Contains(phh, []byte(test.phh)) {
				t.Errorf("no %s in\n%s", test.phh, phh)
			}
			if got := toLog(t, NewPHHReader(bytes.NewReader(phh), "x.phhs")); string(got) != test.log {
				t.Errorf("got  %q\nwant %q\nfrom %s", got, test.log, phh)
			}
			h, err := NewLogReader(strings.NewReader(test.log), "x.log", g).Next()
			if err != nil {
				t.Fatal(err)
			}
			one, err := h.AppendPHH(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := toLog(t, NewPHHReader(bytes.NewReader(one), "x.phh")); string(got) != test.log {
				t.Errorf("alone: got %q", got)
			}
		})
	}
}

// TestDoubts reads hands that are hardly right.
func TestDoubts(t *testing.T) {
	g := gameOf(t, nolimit2)
	for line, want := range map[string]string{
		"cc/cc/cc/cc:4c4d|KsKh/2d3d5h/7h/9s:100|-100:A|B": "x.log:1: A wins 100, where the cards give -100",
		"r300f:4c4d|KsKh:100|-100:A|B":                    "x.log:1: A wins 100, where the cards give -100",
		"cc/cc/cc/cc:|KsKh/2d3d5h/7h/9s:150|-100:A|B":     "x.log:1: the winnings add up to 50, not to 0",
		"cc/cc/cc/cc:4c4d|KsKh/2d3d5h/7h/9s:-100|95:A|B":  "", // a rake
		"cc/cc/cc/cc:4c4d|4h4s/2d3d5h/7h/9s:-0.5|0.5:A|B": "", // an odd chip
		"cc/cc/cc/cc:4c4d|KsKh/2d3d5h/7h/9s:-100|100:A|B": "",
	} {
		h, err := NewLogReader(strings.NewReader("STATE:0:"+line+"\n"), "x.log", g).Next()
		if err != nil {
			t.Fatal(err)
		}
		if h.Doubt != want {
			t.Errorf("%s: %q, want %q", line, h.Doubt, want)
		}
	}
}

// A hand of a PHH file is one of the game that it was played in, with that game's definition. It is
// none of a game with other stacks, blinds or players.
func TestIn(t *testing.T) {
	const line = "STATE:0:r300c/cr600c/cc/r1200f:9h7d|9cQc/6hTd7s/Qd/Ts:600|-600:Al|Bo"
	g := gameOf(t, nolimit2)
	logged, err := ParseLog(g, line)
	if err != nil {
		t.Fatal(err)
	}
	phh, err := logged.AppendPHH(nil)
	if err != nil {
		t.Fatal(err)
	}
	read, err := NewPHHReader(bytes.NewReader(phh), "x.phh").Next()
	if err != nil {
		t.Fatal(err)
	}
	h, err := read.In(g)
	if err != nil || h.Game() != g || string(h.AppendLog(nil)) != line+"\n" {
		t.Errorf("%s, %v", h.AppendLog(nil), err)
	}
	for other, want := range map[string]string{
		strings.Replace(nolimit2, "20000 20000", "20000 1000", 1):                    "stacks",
		strings.Replace(nolimit2, "100 50", "100 25", 1):                             "blinds",
		strings.Replace(nolimit2, "Ranks = 13", "Ranks = 10", 1):                     "cards",
		strings.Replace(normal2, "nolimit\n", "limit\nraiseSize = 10 10 20 20\n", 1): "blinds",
		limit3: "players",
	} {
		if _, err := read.In(gameOf(t, other)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}

// lowered returns a log in which the stack of 15 lowers the bet.
func lowered(t *testing.T, g *acpc.Game) string {
	t.Helper()
	s := g.NewState(4)
	acpc.NewShuffler(3).Deal(&s)
	raise := acpc.Action{Type: acpc.Raise}
	s.Apply(raise)
	before := s.MaxSpent()
	s.Apply(raise)
	if s.MaxSpent() >= before {
		t.Fatalf("the bet went from %d to %d", before, s.MaxSpent())
	}
	for !s.Finished() {
		s.Apply(acpc.Action{Type: acpc.Call})
	}
	return string(s.AppendResult(nil, []string{"Al", "Bo", "Ca"})) + "\n"
}

// TestForeign reads PHH as others write it.
func TestForeign(t *testing.T) {
	const head = "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [0.5, 1.0, 2]\nmin_bet = 1\n" +
		"starting_stacks = [100, inf, 50.5]\n"
	in := "# a comment with [1] in it\n[\"first\"]\n" + head +
		"_note = '''\n[2]\n'''\n_more = [\n[1],\n[2]\n]\n" +
		"actions = [ # comment\n'd dh p1 ????', 'd dh p2 ????', \"d dh p3 Ah?d\", '', '# talk',\n" +
		"'p1 cbr 6.5 # raises', 'p2   f', 'p3 cc',\n" +
		" 'd db 2c3c4c', 'p1 cc', 'p3 cc', 'd db 5c', 'p1 cbr 10', 'p3 f',\n 'p1 sm']\n" +
		"hand = 'river'\n" +
		"[2]\nhand = 17\nplayers = ['X', '', 'Z']\n" + head + "finishing_stacks = [98.5, 0.5, 52.5]\n" +
		"actions = ['d dh p1 AcAd','d dh p2 ????','d dh p3 KcKd','p1 cbr 4.5','p2 cc', 'p3 f','d db 2c3c4c'," +
		"'d db 5h']\n"
	r := NewPHHReader(strings.NewReader(in), "other.phhs")
	r.Scale = 2
	h, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	want := "STATE:0:r13fc/cc/r33f:||/2c3c4c/5c:15|-2|-13:p1|p2|p3\n"
	if got := string(h.AppendLog(nil)); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if _, err := r.Next(); err == nil ||
		!strings.Contains(err.Error(), `other.phhs:30: actions, item 8: "d db 5h": the board has its 3 cards of the `+
			`round already`) {
		t.Errorf("error %v", err)
	}
}

// TestPublishedHand reads a hand of six players against Pluribus (Brown and Sandholm, "Superhuman
// AI for multiplayer poker", Science 2019) as it was published in PHH, and writes it again.
func TestPublishedHand(t *testing.T) {
	const text = `variant = 'NT'
ante_trimming_status = true
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0, 0, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000, 10000, 10000, 10000]
actions = ['d dh p1 TsTh', 'd dh p2 3c2d', 'd dh p3 2cAd', 'd dh p4 7sQs', 'd dh p5 AsAh', 'd dh p6 5d5c', 'p3 f', 'p4 f', 'p5 cbr 200', 'p6 cc', 'p1 cbr 1250', 'p2 f', 'p5 cc', 'p6 cc', 'd db QhKc5h', 'p1 cc', 'p5 cbr 1925', 'p6 cc', 'p1 f', 'd db Ks', 'p5 cc', 'p6 cc', 'd db 6s', 'p5 cc', 'p6 cbr 6825', 'p5 cc', 'p6 sm 5d5c', 'p5 sm AsAh']
hand = 61
players = ['MrBlonde', 'MrWhite', 'MrPink', 'MrBrown', 'Pluribus', 'MrBlue']
finishing_stacks = [8750, 9900, 10000, 10000, 0, 21350]`
	const want = "STATE:61:ffr200cr1250fcc/cr3175cf/cc/cr10000c:TsTh|3c2d|2cAd|7sQs|AsAh|5d5c/QhKc5h/Ks/6s:" +
		"-1250|-100|0|0|-10000|11350:MrBlonde|MrWhite|MrPink|MrBrown|Pluribus|MrBlue\n"
	if got := toLog(t, NewPHHReader(strings.NewReader(text), "61.phh")); string(got) != want {
		t.Errorf("got  %swant %s", got, want)
	}
	phh := toPHH(t, NewPHHReader(strings.NewReader(text), "61.phh"))
	if got := toLog(t, NewPHHReader(bytes.NewReader(phh), "again.phhs")); string(got) != want {
		t.Errorf("after PHH: got  %swant %s", got, want)
	}
}

// TestHandError goes on behind a hand that cannot be read, and not behind a file
// that cannot.
func TestHandError(t *testing.T) {
	const hand = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n" +
		"starting_stacks = [50, 50]\nactions = ['d dh p1 ????','d dh p2 3c3d','p2 f']\n"
	r := NewPHHReader(strings.NewReader("[1]\n"+hand+"[2]\nvariant = 'XX'\nactions = []\n[3]\nvariant = =\n[4]\n"+hand+
		"[5]\nx = \"\"\""), "x")
	for i, want := range []string{"", "x:9: variant: ", "x:12: ", "", "x: line 21: a string", "x: line 21: a string"} {
		h, err := r.Next()
		switch {
		case want == "" && (err != nil || int(h.HandID) != i):
			t.Errorf("hand %d: %+v, error %v", i, h, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || h != nil):
			t.Errorf("hand %d: error %v, want %s", i, err, want)
		}
	}
}

// TestMucked takes the result of a hand that was given up from the stacks.
func TestMucked(t *testing.T) {
	in := "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n" +
		"actions = ['d dh p1 ????','d dh p2 3c3d','p2 cbr 50','p1 cc','p2 sm','d db 2c3h4c','d db 5h','d db 9d'," +
		"'p1 sm AsKs']\n"
	if _, err := NewPHHReader(strings.NewReader(in), "x").Next(); err == nil ||
		!strings.Contains(err.Error(), "finishing_stacks: missing") {
		t.Errorf("error %v", err)
	}
	for _, stacks := range []string{"[inf, 0]", "[97, -inf]", "[nan, 0]"} {
		_, err := NewPHHReader(strings.NewReader(in+"finishing_stacks = "+stacks+"\n"), "x").Next()
		if err == nil || !strings.Contains(err.Error(), "finishing_stacks: no difference to starting_stacks") {
			t.Errorf("%s: error %v", stacks, err)
		}
	}
	h, err := NewPHHReader(strings.NewReader(in+"finishing_stacks = [97, 0]\n"), "x").Next()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(h.AppendLog(nil)), "STATE:0:r50c///:AsKs|3c3d/2c3h4c/5h/9d:47|-50:p1|p2\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestErrors must name the line.
func TestErrors(t *testing.T) {
	g := gameOf(t, nolimit2)
	for _, test := range []struct{ log, want string }{
		{"", "x: empty"},
		{"# x\n", "x: no hand, which"},
		{"# x\nSTATE:0:r100f:9h7d|9cQc:-100|100:Al|Bo\n", "x:2: state, byte 9: raise to 100 is not from 200 to 20000"},
		{"STATE:0:c:9h7d|9cQc:-100|100:Al|Bo\n", "x:1: the hand is not over"},
		{"STATE:0:f:9h7d|9cQc:100|-100:Al\n", "x:1: result: 2 values and 1 names"},
		{"STATE:0:f:9h7d|9h2c:50|-50:Al|Bo\n", "x:1: 9h is dealt twice"},
		{"\n\nhello\n", "x:3: \"hello\" is not a hand"},
	} {
		_, err := NewLogReader(strings.NewReader(test.log), "x", g).Next()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.log, err, test.want)
		}
	}
	const head = "antes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [50, 50]\n"
	const deal = "actions = ['d dh p1 AsAd',\n'd dh p2 3c3d',\n"
	for _, test := range []struct{ phh, want string }{
		{"", "x: no hand"},
		{"a = [", "x: line 1: a bracket is not closed"},
		{"[1]\na = \"\"\"\n", "x: line 2: a string that begins here is not closed"},
		{"variant = NT\n", "x:1: "},
		{"[1]\n" + head + "\nvariant = 3\n", "x:7: variant: the value is not a string"},
		{"variant = 'NT'\n" + head + "actions = [\n'p1 f', 3]",
			"x:6: actions: the value is not a list, each item a string"},
		{"variant = 'NT'\nantes = 3\n" + head[15:] + deal + "]",
			"x:2: antes: the value is not a list, each item a number"},
		{"variant = 'NT'\n" + head + deal + "]\n\n_acpc_first_position = 1.5",
			"x:10: _acpc_first_position: the value is not a whole number"},
		{"variant = 'NT'\nmin_bet = 'two'\n", "x:2: two is not a number"},
		{"variant = 'PO'\n" + head + "actions=[]\n", "x:1: variant: \"PO\" is not"},
		{head + "actions = []\n", "x:1: variant: missing"},
		{"variant = 'NT'\n" + head, "x:1: actions: missing"},
		{"variant = 'NT'\n" + head + deal + "'p1 cc']", "x:8: actions, item 3: \"p1 cc\": it is the turn of p2"},
		{"variant = 'NT'\n" + head + deal + "'p2 f', 'p1 f']", "x:8: actions, item 4: \"p1 f\": the hand is over"},
		{"variant = 'NT'\n" + head + deal + "'p2 cbr 3']",
			"x:8: actions, item 3: \"p2 cbr 3\": raise to 3 is not from 4 to 50"},
		{"variant = 'NT'\n" + head + deal + "'p2 cc',\n'p1 cc', 'p2 cc']",
			"x:9: actions, item 5: \"p2 cc\": it is the turn of p1"},
		{"variant = 'NT'\n" + head + deal + "'p2 cc',\n'p1 cc', 'p1 cc']",
			"x:9: actions, item 5: \"p1 cc\": 0 board cards are dealt, not 3"},
		{"variant = 'NT'\n" + head + deal + "'p2 cc']", "x:6: actions: the hand is not over"},
		{"variant = 'NT'\n" + head + "actions = ['d dh p1 AsAd','d dh p2 As3d','p2 f']",
			"x:6: actions: As is dealt twice"},
		{"variant = 'NT'\n" + head + deal + "'p2 cbr 2.5']",
			"x:8: actions, item 3: \"p2 cbr 2.5\": 2.5 is a fraction of a chip"},
		{"variant = 'NT'\nantes = [0.5, 0]\n" + head[15:] + deal + "]",
			"x:2: antes: 0.5 is a fraction of a chip, which a log cannot have; with a scale of 100 it is 50 chips"},
		{"variant = 'NT'\nantes = [1, 1]\n" + head[15:] + deal + "]",
			"x:2: antes: a log has either blinds or one ante of all"},
		{"variant = 'NT'\n" + head + deal + "'p2 f']\nplayers = ['a',\n'b|c']\n",
			"x:10: players, item 2: \"b|c\" has a character"},
		{"variant = 'NT'\n" + strings.Replace(head, "[50, 50]", "[50, nan]", 1) + deal + "'p2 f']",
			"x:5: starting_stacks: NaN is not an amount of chips"},
		{"variant = 'ACPC'\n" + head + "actions = []\n", "x:1: _acpc_game: missing"},
		{"variant = 'NT'\n" + head + deal + "'p2 f']\n_acpc_line = 'STATE:0:c/cc'\n", "x:9: _acpc_line: "},
		{"variant = 'NT'\n" + head + deal + "'p2 f']\n_acpc_line = 'STATE:1:f:AsAd|3c3d:1|-1:p1|p2'\n",
			"x:9: _acpc_line: another hand"},
		{"variant = 'NT'\n" + head + deal + "'p2 f']\n_acpc_after = ['hello']\n", "x:9: _acpc_after, item 1: "},
	} {
		_, err := NewPHHReader(strings.NewReader(test.phh), "x").Next()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q:\nerror %v\nwant  %s", test.phh, err, test.want)
		}
	}
}

// TestTables reads the tables for other programs.
func TestTables(t *testing.T) {
	h, err := ParseLog(gameOf(t, nolimit2), "STATE:3:cr300c/r600f:8dJd|Td4d/As9d6s:300|-300:Al,x|Bo")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(h.AppendCSV([]byte(CSVHeader), "m"))).ReadAll()
	if err != nil || len(rows) != 3 || strings.Join(rows[1],
		";") != "m;3;0;Al,x;8dJd;As9d6s;cr300c/r600f;false;false;600;300" {
		t.Errorf("%v, error %v", rows, err)
	}
	line, err := h.AppendJSON(nil, "m")
	if err != nil {
		t.Fatal(err)
	}
	var told JSONHand
	if err := json.Unmarshal(line, &told); err != nil {
		t.Fatal(err)
	}
	if last := told.Actions[3]; last != (JSONAction{Round: 1, Position: 0, Action: "raise", Name: "bet 300", To: 600,
		Pot: 900}) {
		t.Errorf("actions %+v", told.Actions)
	}
	if told.Made != nil {
		t.Errorf("a hand without a showdown made %q", told.Made)
	}
	if _, err := NewLogReader(strings.NewReader(""), "x", h.Game()).Next(); errors.Is(err, io.EOF) {
		t.Error("an empty log is one without hands")
	}
}

// Comments without end are not kept.
func TestLogOfComments(t *testing.T) {
	r := NewLogReader(strings.NewReader(strings.Repeat("#"+strings.Repeat("x", 1<<19)+"\n", maxBetweenHands>>19+1)),
		"a.log", nil)
	if h, err := r.Next(); h != nil || err == nil || !strings.Contains(err.Error(), "without a hand") {
		t.Errorf("%v, %v", h, err)
	}
}

// A showdown has names of the hands that it compares.
func TestMade(t *testing.T) {
	for line, want := range map[string]string{
		"STATE:3:cr20000c///:8dJd|Td4d/As9d6s/3d/6c:0|0:Al|Bo": `["pair of sixes" "pair of sixes"]`,
		"STATE:1:cc/cc/cc/cc:JsQs|9s5h/6h8s8c/Qc/Kd:0|0:Al|Bo": `["two pair, queens and eights" "pair of eights"]`,
		"STATE:3:cr300c/r600f:8dJd|Td4d/As9d6s:300|-300:Al|Bo": `[]`,
		"STATE:3:cr20000c///:|Td4d/As9d6s/3d/6d:0|0:Al|Bo":     `["" "flush, ten high"]`,
	} {
		h, err := ParseLog(gameOf(t, nolimit2), line)
		if err != nil {
			t.Fatal(err)
		}
		h.Hidden[0] = strings.Contains(line, ":|")
		if got := fmt.Sprintf("%q", h.JSON("").Made); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
