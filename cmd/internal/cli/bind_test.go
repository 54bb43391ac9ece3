package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// A command has the flags and the settings that its texts describe.
func TestBind(t *testing.T) {
	cups, heat, wait, lists, force := 2, 80.0, time.Minute, []string(nil), false
	cmd := &cobra.Command{Use: "make", Annotations: map[string]string{
		FlagTexts:    "  cups, c: how many `CUPS`,\n    of tea\n  lists: as many as there are\n",
		SettingTexts: "  force:\n  heat: how warm: degrees\n  wait: for it\n  sugar:\n",
	}}
	cmd.RunE = func(*cobra.Command, []string) error { return nil }
	cmd.Flags().Bool("sugar", false, "with sugar")
	Bind(cmd, "cups", &cups, "heat", &heat, "wait", &wait, "lists", &lists, "force", &force)
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs(strings.Fields("-c 3 --lists a,b --lists c --set heat=90.5 --set wait=1s --set force --set sugar"))
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	const want = "3 90.5 1s [a,b c] true"
	if got := fmt.Sprint(cups, " ", heat, " ", wait, " ", lists, force); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got := Usage(cmd) + SettingUsages(cmd)
	for _, want := range []string{
		"-c, --cups CUPS           how many CUPS, of tea (default 2)", "heat float      how warm: degrees (default 80)",
		"force           replace an output file that exists", "force, heat, sugar, wait",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("help without %q:\n%s", want, got)
		}
	}
}

// A flag whose text says with which one it has an effect is refused without.
func TestNeeded(t *testing.T) {
	for args, want := range map[string]string{
		"--cap 3": "--cap has no effect without --rake", "--set cap=3": "--cap has no effect without --rake",
		"--cap 3 --rake 1": "<nil>", "": "<nil>",
	} {
		rake, most := 0, 0
		cmd := &cobra.Command{Use: "make", Annotations: map[string]string{
			FlagTexts: "  rake: percent", SettingTexts: "  cap: with --rake: the most chips",
		}}
		cmd.RunE = func(*cobra.Command, []string) error { return nil }
		Bind(cmd, "rake", &rake, "cap", &most)
		Program(cmd)
		cmd.SetArgs(strings.Fields(args))
		if got := fmt.Sprint(cmd.ExecuteContext(t.Context())); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// Texts and values that differ are a fault of the program.
func TestBindDiffers(t *testing.T) {
	for _, test := range []struct {
		texts  string
		values []any
		want   string
	}{
		{"  cups: how many", nil, "nothing holds the value of --cups"},
		{"", []any{"cups", new(int)}, "no text says what these flags mean: [cups]"},
		{"  cups: how many", []any{"cups", new(int8)}, "--cups: a flag cannot be a *int8"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("%q: panic %s, want %s", test.texts, got, test.want)
				}
			}()
			BindTexts((&cobra.Command{}).Flags(), test.texts, test.values...)
		}()
	}
}
