package dealer

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

// readMatch returns the match that a log of the original server is of, and the
// log.
func readMatch(t *testing.T, logFile string) (*Match, string) {
	t.Helper()
	text, err := os.ReadFile(logFile)
	if err != nil {
		t.Fatal(err)
	}
	log := string(text)
	m := &Match{}
	var response, hand, perHand int64
	if _, err := fmt.Sscanf(log, "# name/game/hands/seed %s %s %d %d\n#--t_response %d\n#--t_hand %d\n"+
		"#--t_per_hand %d\n",
		&m.Name, &m.GameFile, &m.Hands, &m.Seed, &response, &hand, &perHand); err != nil {
		t.Fatalf("%s: header: %v", logFile, err)
	}
	m.Limits.Response = time.Duration(response) * time.Millisecond
	m.Limits.Hand = time.Duration(hand) * time.Millisecond
	m.Limits.PerHand = time.Duration(perHand) * time.Millisecond
	gameFile := filepath.Join(filepath.Dir(logFile), m.GameFile)
	if text, err = os.ReadFile(gameFile); err != nil {
		t.Fatal(err)
	}
	if m.Game, err = acpc.ParseOriginal(gameFile, string(text)); err != nil {
		t.Fatal(err)
	}
	// Seats that stay have the same names at the same positions in the second
	// hand as in the score.
	names := namesOf(log, "SCORE:")
	m.Names = strings.Split(names, "|")
	m.Fixed = namesOf(log, "STATE:1:") == names
	return m, log
}

// namesOf returns the last field of the line that starts so.
func namesOf(log, start string) string {
	_, line, _ := strings.Cut(log, "\n"+start)
	line, _, _ = strings.Cut(line, "\n")
	return line[strings.LastIndexByte(line, ':')+1:]
}

// TestReferenceLogs deals the recorded matches again, in process, to players
// who act as recorded: every line of the log must come out.
func TestReferenceLogs(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/logs/*/*.log") {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			m, want := readMatch(t, file)
			got := m.AppendHeader(nil)
			players := slices.Repeat([]acpc.Player{recordedIn(t, m.Game, want)}, len(m.Names))
			score, err := m.Play(t.Context(), players, func(s *acpc.State) error {
				got = m.AppendHand(got, s)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got = m.AppendScore(got, score)
			compareLines(t, string(got), want)
		})
	}
}

// recordedIn returns a player that acts in every hand as a log says.
func recordedIn(t *testing.T, g *acpc.Game, log string) acpc.Player {
	hands := map[uint32][]acpc.Action{}
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "STATE:") {
			continue
		}
		s, _, err := g.ParseState(line)
		if err != nil {
			t.Fatal(err)
		}
		for round := range s.Round() + 1 {
			hands[s.HandID] = append(hands[s.HandID], s.Actions(round)...)
		}
	}
	return bot(func(m *acpc.MatchState) (acpc.Action, error) {
		actions, done := hands[m.HandID], m.NumActions()
		if done >= len(actions) {
			return acpc.Action{}, fmt.Errorf("the log has %d actions in hand %d", len(actions), m.HandID)
		}
		return actions[done], nil
	})
}

// TestReferenceWire sends the recorded bytes of every player to the dealer,
// which must send back the recorded bytes and write the recorded log, standard
// error and transactions, but for the times in them.
func TestReferenceWire(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/wire/*/*.log") {
		dir, name := filepath.Dir(file), strings.TrimSuffix(file, ".log")
		t.Run(filepath.Base(dir), func(t *testing.T) {
			m, want := readMatch(t, file)
			received := make([]bytes.Buffer, len(m.Names))
			peers := make([]peer, len(m.Names))
			for i := range peers {
				peers[i] = replaying(readFile(t, fmt.Sprintf("%s/seat%d.c2s.bin", dir, i)), &received[i])
			}
			var log, messages, transactions bytes.Buffer
			conns, wait := connect(peers)
			_, err := m.Serve(t.Context(), conns, Record{Log: &log, Messages: &messages, Transactions: &transactions})
			wait()
			if err != nil {
				t.Error(err)
			}
			compareLines(t, log.String(), want)
			for i := range peers {
				t.Run(fmt.Sprintf("seat%d", i), func(t *testing.T) {
					compareLines(t, received[i].String(), readFile(t, fmt.Sprintf("%s/seat%d.s2c.bin", dir, i)))
				})
			}
			compareLines(t, timeless(messages.String()), timeless(readFile(t, name+".stderr")))
			compareLines(t, timeless(transactions.String()), timeless(readFile(t, name+".tlog")))
			last := strings.Fields(transactions.String())
			if asked := last[len(last)-2]; !strings.Contains(messages.String(), "FINISHED at "+asked+"\n") {
				t.Errorf("the match is not finished at %s, when the last answer was asked for", asked)
			}
		})
	}
}

// stamps are the times in a transaction file or on standard error.
var stamps = regexp.MustCompile(`\b\d+\.\d{6}\b`)

func timeless(text string) string { return stamps.ReplaceAllString(text, "TIME") }

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReferenceResume interrupts the recorded matches at several moments and
// goes on with players who act as recorded: what was missing of the log and of
// the transactions must follow.
func TestReferenceResume(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/*/*/*.tlog") {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			m, log := readMatch(t, strings.TrimSuffix(file, ".tlog")+".log")
			past := readFile(t, file)
			lines := strings.SplitAfter(past, "\n")
			lines = lines[:len(lines)-1]
			recorded := recordedIn(t, m.Game, log)
			for _, cut := range []int{0, 1, len(lines) / 3, len(lines) - 1, len(lines)} {
				peers := make([]peer, len(m.Names))
				for i := range peers {
					peers[i] = playing(m.Game, recorded)
				}
				var rest, transactions bytes.Buffer
				conns, wait := connect(peers)
				_, err := m.Serve(t.Context(), conns, Record{
					Log: &rest, Transactions: &transactions, LogFrom: m.Hands,
					Past: strings.NewReader(strings.Join(lines[:cut], "")),
				})
				wait()
				if err != nil {
					t.Fatalf("after %d actions: %v", cut, err)
				}
				compareLines(t, timeless(transactions.String()), timeless(strings.Join(lines[cut:], "")))
				logged := string(m.AppendHeader(nil))
				body := strings.SplitAfter(log, "\n")[strings.Count(logged, "\n"):]
				logged += strings.Join(body[handsOver(lines[:cut], lines):], "")
				compareLines(t, rest.String(), logged)
			}
		})
	}
}

// handsOver returns how many hands the first transactions of a match finish.
func handsOver(first, all []string) int {
	hand := func(line string) int {
		n, err := strconv.Atoi(strings.Fields(line)[1])
		if err != nil {
			panic(err) // the dealer has read it before
		}
		return n
	}
	switch {
	case len(first) == 0:
		return 0
	case len(first) == len(all) || hand(all[len(first)]) > hand(first[len(first)-1]):
		return hand(first[len(first)-1]) + 1
	}
	return hand(first[len(first)-1])
}

// replaying returns a peer that sends all its bytes as fast as they are taken
// and stores the messages that it receives.
func replaying(sent string, received io.Writer) peer {
	return func(conn net.Conn) {
		var wg sync.WaitGroup
		wg.Go(func() { io.WriteString(conn, sent) })
		io.Copy(received, conn)
		wg.Wait()
	}
}

// compareLines reports the first lines that differ.
func compareLines(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	gotLines, wantLines := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("line %d:\n%s", i+1, cmp.Diff(wantLines[i], gotLines[i]))
		}
	}
	t.Fatalf("got %d lines, want %d", len(gotLines), len(wantLines))
}
