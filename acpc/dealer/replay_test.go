package dealer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestReplay(t *testing.T) {
	for name, g := range map[string]*acpc.Game{"kuhn": kuhn(), "kuhn-fixed": kuhn(), "leduc": leduc()} {
		log := readFile(t, filepath.Join("testdata", name+".log"))
		got, err := Replay(name, strings.NewReader(log+log), g)
		if err != nil {
			t.Fatal(err)
		}
		_, score, _ := strings.Cut(log, "SCORE")
		want := Replayed{Name: "test", Played: 20, Hands: 20, Seed: 42, Score: "SCORE" + strings.TrimSpace(score)}
		if diff := cmp.Diff([]Replayed{want, want}, got); diff != "" {
			t.Errorf("%s twice: (-want +got)\n%s", name, diff)
		}
	}
}

// TestReplayFinds changes one thing in a log of three hands.
func TestReplayFinds(t *testing.T) {
	const header = "# name/game/hands/seed m kuhn.game 3 42\n"
	const log = header + "#--t_response 600000\n" +
		"STATE:0:cc:Qs|Ks:-1|1:A|B\nSTATE:1:cc:Ks|Qs:1|-1:B|A\nSTATE:2:cc:Qs|Ks:-1|1:A|B\nSCORE:-3|3:A|B\n"
	tests := []struct {
		name, old, new string
		line           int
		want           string // the line that is wanted, or the message
	}{
		{"cards", "STATE:1:cc:Ks|Qs:1", "STATE:1:cc:Ks|As:1", 4, "STATE:1:cc:Ks|Qs:1|-1:B|A"},
		{"action", "0:cc:", "0:rc:", 3, "STATE:0:rc:Qs|Ks:-2|2:A|B"},
		{"alias", "0:cc:", "0:ck:", 3, "STATE:0:cc:Qs|Ks:-1|1:A|B"},
		{"value", "2:cc:Qs|Ks:-1|1", "2:cc:Qs|Ks:-1|2", 5, "STATE:2:cc:Qs|Ks:-1|1:A|B"},
		{"digits", "2:cc:Qs|Ks:-1|1", "2:cc:Qs|Ks:-1.0|1", 5, "STATE:2:cc:Qs|Ks:-1|1:A|B"},
		{"rotation", "1|1:A|B\nSCORE", "1|1:B|A\nSCORE", 5, "STATE:2:cc:Qs|Ks:-1|1:A|B"},
		{"score", "SCORE:-3|3", "SCORE:-1|1", 6, "SCORE:-3|3:A|B"},
		{"seed", "3 42", "3 43", 3, "STATE:0:cc:Ks|Qs:1|-1:A|B"},

		{"illegal action", "0:cc:", "0:f:", 3, "state, byte 9: fold with nothing to call"},
		{"hand not over", "0:cc:", "0:c:", 3, "the hand is not over"},
		{"hand missing", "STATE:1:cc:Ks|Qs:1|-1:B|A\n", "", 4, "hand 2 where hand 1 of 3 follows"},
		{"hand too many", "3 42", "2 42", 5, "hand 2 where hand 2 of 2 follows"},
		{"score too early", "3 42", "4 42", 6, "the score after 3 of 4 hands"},
		{"no seed", "3 42", "3 x", 1, "the header ends in no hands and seed"},
		{"unknown seed", "3 42", "3 unknown", 1,
			"the header tells no seed: the log has what one player saw, and its cards cannot be verified"},
		{"short header", "m kuhn.game 3 42", "m 3 42", 1, "the header lacks name, game, hands or seed"},
		{"no header", header, "", 2, "no header before the line"},
		{"another match", "SCORE", strings.Replace(header, "42", "7", 1) + "SCORE", 6,
			"another match begins after 3 of 3 hands"},
		{"not a state", "STATE:0:", "PLATE:0:", 3, `state, byte 1: "STATE:" is missing`},
		{"no newline", "A|B\nSCORE:-3|3:A|B\n", "A|B", 5, "the line has no end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(log, tt.old, tt.new, 1)
			_, err := Replay("m.log", strings.NewReader(changed), kuhn())
			want := tt.want
			if strings.HasPrefix(want, "STATE") || strings.HasPrefix(want, "SCORE") {
				want = strings.Split(changed, "\n")[tt.line-1] + "\n  want " + want
			}
			at := fmt.Sprintf("m.log:%d: ", tt.line)
			if err == nil || !strings.HasPrefix(err.Error(), at) || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("got %v\nwant line %d, %s", err, tt.line, want)
			}
		})
	}
	if _, err := Replay("m.log", strings.NewReader(""), kuhn()); err == nil || err.Error() != "m.log: no match" {
		t.Errorf("error %v of an empty log", err)
	}
}

// TestReplayInterrupted verifies the hands of a match that did not end, those before a torn line, too.
func TestReplayInterrupted(t *testing.T) {
	log := readFile(t, "testdata/kuhn.log")
	score := strings.Index(log, "SCORE")
	for _, test := range []struct {
		text   string
		played uint32
		err    string
	}{
		{log[:strings.Index(log, "STATE:0")], 0, "<nil>"},
		{log[:strings.Index(log, "STATE:7")], 7, "<nil>"},
		{log[:strings.Index(log, "STATE:7")+9], 7, "kuhn.log:12: the line has no end"},
		{log[:score], 20, "<nil>"},
	} {
		want := Replayed{Name: "test", Played: test.played, Hands: 20, Seed: 42}
		got, err := Replay("kuhn.log", strings.NewReader(test.text), kuhn())
		if diff := cmp.Diff([]Replayed{want}, got); diff != "" || fmt.Sprint(err) != test.err {
			t.Errorf("error %v: (-want +got)\n%s", err, diff)
		}
	}
	// A dealer that was killed when all was over begins again with the header.
	header := log[:strings.Index(log, "STATE:0")]
	if got, err := Replay("kuhn.log", strings.NewReader(log+header), kuhn()); err != nil || len(got) != 1 {
		t.Errorf("%+v, error %v", got, err)
	}
}

// TestReplayResumed has the header of a resumed match between its hands.
func TestReplayResumed(t *testing.T) {
	log := readFile(t, "testdata/kuhn.log")
	header := log[:strings.Index(log, "STATE:0")]
	log = strings.Replace(log, "STATE:7", header+header+"STATE:7", 1)
	if _, err := Replay("kuhn.log", strings.NewReader(log), kuhn()); err != nil {
		t.Error(err)
	}
}

func TestReferenceReplay(t *testing.T) {
	for _, pattern := range []string{"acpc/logs/*/*.log", "acpc/wire/*/*.log"} {
		for _, file := range testkit.ReferenceFiles(t, pattern) {
			m, log := readMatch(t, file)
			got, err := Replay(file, strings.NewReader(log), m.Game)
			if err != nil || len(got) != 1 || got[0].Score == "" || got[0].Hands != m.Hands {
				t.Errorf("%s: %v, %v", file, got, err)
			}
		}
	}
}
