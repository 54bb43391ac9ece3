package dealer

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"gamebots/acpc"
	"gamebots/internal/testkit"
)

// recordedMatch is one section of the reference's recorded behaviour: what the
// original printed while a hand of hold'em was played with odd answers.
type recordedMatch struct {
	title, stdout string
	lines         []string // lines of standard error, with their line ends
	log           []string // the last lines
}

// behaviours reads the sections of a file. Its lines are Python's literals.
func behaviours(text string) (all []recordedMatch) {
	unquote := strings.NewReplacer(`\r`, "\r", `\n`, "\n", `\'`, "'").Replace
	for section := range strings.SplitSeq("\n"+text, "\n== ") {
		lines := strings.Split(section, "\n")
		title, rest, ok := strings.Cut(lines[0], " | rc ")
		if !ok {
			continue
		}
		m := recordedMatch{title: title}
		_, m.stdout, _ = strings.Cut(rest, "| stdout ")
		m.stdout = unquote(strings.Trim(m.stdout, "'"))
		for _, line := range lines[1:] {
			if list, ok := strings.CutPrefix(line, "    LOG: ["); ok {
				m.log = strings.Split(strings.Trim(strings.TrimSuffix(list, "]"), "'"), "', '")
				break
			}
			if quoted, ok := strings.CutPrefix(line, "    '"); ok {
				m.lines = append(m.lines, unquote(strings.TrimSuffix(quoted, "'"))+"\n")
			}
		}
		all = append(all, m)
	}
	return all
}

var fromLine = regexp.MustCompile(`^FROM (\d) at \S+ `)

// answers returns the messages of the seats, or false where not all of it is in the
// record: the first answer to the first hand must be, and no elision.
func (m *recordedMatch) answers() (seats [2]string, ok bool) {
	for _, line := range m.lines {
		found := fromLine.FindStringSubmatchIndex(line)
		if found == nil {
			continue
		}
		seat := line[found[2]] - '1'
		if seat > 1 || strings.Contains(line, "bytes split") {
			return seats, false
		}
		if seats == [2]string{} && !strings.HasPrefix(line[found[1]:], "MATCHSTATE:1:0::|Td4d:") {
			return seats, false
		}
		seats[seat] += line[found[1]:]
	}
	return seats, seats != [2]string{}
}

// TestReferenceBehaviour gives the recorded answers to the dealer, which must
// warn, log and score as recorded. The sections do not specify whether their hand,
// the first of seed 7, is of limit or of no-limit hold'em, so one of them has
// to fit.
func TestReferenceBehaviour(t *testing.T) {
	dir := filepath.Join(testkit.ReferenceDir(t, "acpc/games"), "original")
	var games []*acpc.Game
	for _, name := range []string{"holdem.limit.2p.reverse_blinds.game", "holdem.nolimit.2p.reverse_blinds.game"} {
		g, err := acpc.ParseGame(name, readFile(t, filepath.Join(dir, name)))
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	for _, file := range testkit.ReferenceFiles(t, "acpc/behaviour/*.txt") {
		for _, m := range behaviours(readFile(t, file)) {
			t.Run(m.title, func(t *testing.T) {
				for _, line := range m.lines {
					checkWords(t, line)
				}
				seats, ok := m.answers()
				if !ok {
					return // only its words are known
				}
				want := strings.Join(m.lines, "") + strings.Join(m.log, "\n") + "\n" + m.stdout
				var got [2]string
				for i, g := range games {
					// In fake time, because the wrong game lacks answers.
					synctest.Test(t, func(t *testing.T) { got[i] = m.play(t, g, seats) })
				}
				if got[0] != timeless(want) && got[1] != timeless(want) {
					t.Errorf("got %q\nor %q\nwant %q", got[0], got[1], timeless(want))
				}
			})
		}
	}
}

// play returns the lines that the record would have of a match.
func (m *recordedMatch) play(t *testing.T, g *acpc.Game, seats [2]string) string {
	var log, messages, kept strings.Builder
	match := &Match{
		Name: "m", Game: g, GameFile: "g", Hands: 1, Seed: 7, Names: []string{"P0", "P1"}, Limits: DefaultLimits,
	}
	conns, wait := connect([]peer{
		replaying("VERSION:2.0.0\n"+seats[0], io.Discard), replaying("VERSION:2.0.0\n"+seats[1], io.Discard),
	})
	score, err := match.Serve(t.Context(), conns, Record{Log: &log, Messages: &messages})
	wait()
	for line := range strings.Lines(messages.String()) {
		if strings.HasPrefix(line, "FROM") || strings.HasPrefix(line, "WARNING") || strings.HasPrefix(line, "ERROR") {
			kept.WriteString(line)
		}
	}
	lines := strings.SplitAfter(log.String(), "\n")
	kept.WriteString(strings.Join(lines[max(0, len(lines)-len(m.log)-1):], ""))
	if err == nil {
		kept.Write(match.AppendScore(nil, score))
	}
	return timeless(kept.String())
}

// words matches the dealer's warnings and errors.
var words = regexp.MustCompile(`^(` + strings.Join([]string{
	`WARNING: (bad state format in response|ignoring un-requested response)`,
	`WARNING: (bad action format in response|invalid action), changed to call`,
	`WARNING: raise of -?\d+ (in|de)creased to \d+`,
	`ERROR: this server is currently using version 2\.0\.0`,
	`ERROR: invalid version string .*`,
	`ERROR: could not (get action from|send state to) seat \d+`,
	`ERROR: seat \d+ ran out of time`,
}, "|") + `)\r?\n$`)

func checkWords(t *testing.T, line string) {
	t.Helper()
	if (strings.HasPrefix(line, "WARNING") || strings.HasPrefix(line, "ERROR")) && !words.MatchString(line) {
		t.Errorf("the dealer never says %q", line)
	}
}

// TestReferenceResumedLogs replays the logs among the recorded behaviours. Some
// were interrupted and resumed.
func TestReferenceResumedLogs(t *testing.T) {
	name := "holdem.limit.2p.reverse_blinds.game"
	g, err := acpc.ParseGame(name, readFile(t, filepath.Join(testkit.ReferenceDir(t, "acpc/games"), "original", name)))
	if err != nil {
		t.Fatal(err)
	}
	logs := regexp.MustCompile(`(?m)^# name/game/hands/seed .*\n(?:(?:#--|STATE:|SCORE:|# name).*\n)+`)
	for _, file := range testkit.ReferenceFiles(t, "acpc/behaviour/*.txt") {
		for _, log := range logs.FindAllString(readFile(t, file), -1) {
			if !strings.Contains(log, name) || !strings.Contains(log, "\nSTATE:0:") ||
				!strings.Contains(log, "SCORE:") {
				continue // not all of a match
			}
			// A match resumed after its end is logged as a score without hands.
			if i := strings.Index(log, "# name/game/hands/seed done"); i > 0 {
				log = log[:i]
			}
			if _, err := Replay(filepath.Base(file), strings.NewReader(log), g); err != nil {
				t.Error(err)
			}
		}
	}
}
