package submission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/proc"
	"gamebots/internal/memory"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// The rules of the competition.
const (
	RuleHands = 12_000
	maxBytes  = 50 << 30
)

// startUp is how long the competition's benchmark server waits for a bot. A check
// waits longer, so that it can report the time of a bot that is too slow.
const startUp = time.Minute

// limits are the competition's time limits of a player.
var limits = dealer.Limits{Start: 10 * time.Minute, Response: 10 * time.Minute, Hand: 21_000 * time.Second,
	PerHand: 7 * time.Second}

// linger is how long a bot's processes may outlive their match. Tests shorten it.
var linger = 10 * time.Second

// Check configures the check of a folder.
type Check struct {
	Dir   string
	Game  *acpc.Game
	Hands uint32 // 0 for RuleHands
	// OnHand, if not nil, is called with the number of finished hands after each hand, by one
	// goroutine at a time.
	OnHand func(played, hands uint32)
}

// Finding is the result of one rule.
type Finding struct {
	Rule string `text:"rule"`
	Want string `text:"wanted"` // "" where there is no limit
	Got  string `text:"measured"`
	OK   bool   `text:"-"`
	Mark string `text:" "` // OK in a word, "" where there is no limit
}

// Verdict is the result of a check.
type Verdict struct {
	Findings []Finding
	// Reason explains a failed match, with the bot's last line on standard error,
	// or quotes the dealer's first warning.
	Reason string
}

// OK reports whether no rule failed.
func (v *Verdict) OK() bool {
	return !slices.ContainsFunc(v.Findings, func(f Finding) bool { return !f.OK })
}

func (v *Verdict) add(ok bool, rule, want, format string, args ...any) {
	mark := map[bool]string{true: "ok", false: "BROKEN"}[ok]
	if ok && want == "" {
		mark = ""
	}
	v.Findings = append(v.Findings, Finding{rule, want, fmt.Sprintf(format, args...), ok, mark})
}

// Run checks the folder. Faults of the folder are in the verdict; an error has another
// cause, such as the end of ctx.
func (c *Check) Run(ctx context.Context) (*Verdict, error) {
	v := &Verdict{}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	if err := c.files(v, dir); err != nil {
		return nil, err
	}
	total := cmp.Or(c.Hands, RuleHands)
	_, perMatch := FolderName(c.Game)
	var all tallies
	var failed error
	for n := 0; all.hands < total && failed == nil; n++ {
		m := &match{check: c, dir: dir, number: n, hands: min(perMatch, total-all.hands), all: &all,
			total: total}
		failed = m.play(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		all.matches++
	}
	c.judge(v, &all, total, failed)
	return v, nil
}

// files checks the contents of the folder.
func (c *Check) files(v *Verdict, dir string) error {
	if name, _ := FolderName(c.Game); name != "" && filepath.Base(dir) != name {
		v.add(true, "name", "", "%s; the competition requires %s", filepath.Base(dir), name)
	}
	var missing []string
	for _, name := range []string{readme, startMe} {
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name+" is missing")
		case err != nil:
			return err
		case name == startMe && info.Mode().Perm()&0o755 != 0o755:
			missing = append(missing, fmt.Sprintf("%s has the mode %o", name, info.Mode().Perm()))
		}
	}
	v.add(missing == nil, "files", "README, startme.sh (755)", "%s", cmp.Or(strings.Join(missing, ", "), "there"))
	var bytes int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	v.add(bytes <= maxBytes, "size", "at most 50 GB", "%s", memory.Bytes(bytes))
	return err
}

// tallies are the figures of all matches.
type tallies struct {
	hands     uint32
	matches   int
	won       stats.Sample  // mb a hand
	start     time.Duration // the longest from the start of a bot to its connection
	end       time.Duration // the longest from the end of a match to that of the bot
	decisions []time.Duration
	hand      time.Duration // the longest
	warnings  []string
	peak      int64  // peak memory in bytes, 0 if unknown
	left      int    // matches that a process outlived
	said      string // the last bot's last line on standard error
}

// judge compares the figures with the rules.
func (c *Check) judge(v *Verdict, a *tallies, total uint32, failed error) {
	mean, most99, longest := proc.Spread(a.decisions, 99)
	want := fmt.Sprintf("%d", RuleHands)
	if total < RuleHands {
		want = "" // a shorter check was asked for
	}
	v.add(failed == nil, "hands", want, "%d in %s", a.hands, usererr.Counted(a.matches, "match", "matches"))
	if failed != nil {
		v.Reason = failed.Error()
		if a.said != "" {
			v.Reason += "; it said: " + a.said
		}
		return
	}
	v.add(len(a.warnings) == 0, "warnings of the dealer", "none", "%d", len(a.warnings))
	if len(a.warnings) > 0 {
		v.Reason = a.warnings[0]
	}
	v.add(a.start <= startUp, "start-up, longest", "at most "+span(startUp), "%s", proc.TimeText(a.start))
	v.add(true, "decision, mean", "", "%s of %d", proc.TimeText(mean), len(a.decisions))
	v.add(true, "decision, 99 of 100", "", "%s", proc.TimeText(most99))
	v.add(longest <= limits.Response, "decision, longest", "at most "+span(limits.Response), "%s",
		proc.TimeText(longest))
	v.add(a.hand <= limits.Hand, "hand, longest", "at most "+span(limits.Hand), "%s", proc.TimeText(a.hand))
	v.add(a.end <= linger && a.left == 0, "end after the match", "within "+span(linger), "%s", map[bool]string{
		true:  proc.TimeText(a.end),
		false: fmt.Sprintf("a process was left after %d of %d matches", a.left, a.matches),
	}[a.left == 0])
	if a.peak > 0 {
		v.add(true, "memory, peak", "", "%s", memory.Bytes(a.peak))
	}
	if c.Game.MaxBlind() > 0 {
		won := a.won.Mean()
		got := fmt.Sprintf("%+.0f mb a hand", won)
		if a.won.N > 1 {
			got += fmt.Sprintf(" ± %.0f", a.won.Interval95())
		}
		ok := won >= 0
		if total < RuleHands { // only a significant loss fails, and one hand is none
			ok = won+a.won.Interval95() >= 0
		}
		v.add(ok, "against a random player", "no loss", "%s", got)
	}
}

// span formats a limit without zero minutes and seconds, as in 5h50m.
func span(d time.Duration) string {
	text := d.String()
	if d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
