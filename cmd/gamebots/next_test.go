package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/cmd/internal/cli/clitest"
)

// What a command names as the next step works, in the order in which a person comes by them.
func TestNextSteps(t *testing.T) {
	t.Chdir(t.TempDir())
	next := regexp.MustCompile(`(?m)^gamebots: next: gamebots (.*)$`)
	run := func(line string) string {
		var out, log bytes.Buffer
		if code := cli.Run(t.Context(), newRoot(), strings.Fields(line), &out, &log); code != cli.ExitDone {
			t.Errorf("gamebots %s: exit status %d: %s", line, code, &log)
		}
		return strings.Join(next.FindStringSubmatch(log.String()), "\n")
	}
	for _, test := range []struct {
		line  string
		steps []string // nothing is named after the last one
	}{
		{"check leduc", []string{"train leduc --target 1mb", "play poker leduc --against leduc.strategy"}},
		{"evaluate leduc.strategy", []string{"show leduc.strategy --walk"}},
		{"evaluate leduc.strategy --json", nil},
		{"evaluate leduc.strategy --log-level warn", nil},
		{"show leduc.strategy", []string{"show leduc.strategy --walk"}},
		{"train liars-dice-1 --iterations 9", []string{"show liars-dice-1.profile.json"}},
		{"abstract holdem-limit-12 --recipe holdem-100 --set kmeans.iterations=1",
			[]string{"train holdem-limit-12 --abstraction holdem-100.buckets"}},
		{"solve poker --spot river-bluffs", []string{
			"solve poker --spot river-bluffs --save my.spot", "show my.spot --walk"}},
		{"show my.spot", []string{"play poker my.spot"}},
		{"play poker leduc --against random --log mine.log", nil},
		{"grid keys keys", []string{"grid serve --keys keys"}},
	} {
		line := test.line
		for _, want := range append(test.steps, "") {
			if want != "" {
				want = "gamebots: next: gamebots " + want + "\n" + want
			}
			got := run(line)
			if got != want {
				t.Errorf("after gamebots %s comes %q, want %q", line, got, want)
				break
			}
			_, line, _ = strings.Cut(got, "\n")
			if err := clitest.Accepts(newRoot(), line); err != nil {
				t.Errorf("gamebots %s: %v", line, err)
			}
			if line == "" || strings.HasPrefix(line, "grid serve") || strings.HasPrefix(line, "train holdem") {
				break // these take long
			}
		}
	}
}
