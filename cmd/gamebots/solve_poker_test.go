package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/configs"
)

// Flags override a spot, and make options of its solver.
func TestSpotOptions(t *testing.T) {
	f := spotFlags{spot: "river-bluffs", threads: 2}
	settings, s, err := f.load([]string{"solve.bits=16", "spot.pot=70"})
	if err != nil || s.Pot != 70 {
		t.Fatalf("%+v: %v", s, err)
	}
	o, err := f.options(settings.Solve)
	if err != nil || !o.Algorithm.Quantized || o.Threads != 2 || o.Memory <= 0 {
		t.Errorf("%+v: %v", o, err)
	}
	if _, err := f.options(configs.SpotSolve{Algorithm: "dcrf"}); err == nil ||
		!strings.Contains(err.Error(), "the nearest is dcfr") {
		t.Errorf("a misspelt algorithm: %v", err)
	}
	if _, _, err := f.load([]string{"spot.pot=x"}); err == nil || !strings.Contains(err.Error(), "--pot") {
		t.Errorf("a pot of x: %v", err)
	}
	f.locks = []string{"missing.csv"}
	if _, _, err := f.load(nil); err == nil {
		t.Error("a lock that is missing")
	}
}

// What a spot needs to be solved again are its flags, in whatever form they were given.
func TestSolveAgain(t *testing.T) {
	flags := newSolvePoker().Flags()
	err := flags.Parse([]string{"--spot", "holdem-nolimit-2p", "--board=Qs7h2c5d", "--at", "r300c/cc/", "--force",
		"--set", "iterations=9"})
	if err != nil {
		t.Fatal(err)
	}
	got := cli.CommandLine(againWith(flags, "solve", "poker")...)
	const want = "solve poker --spot holdem-nolimit-2p --board Qs7h2c5d --at r300c/cc/ --iterations 9"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// runLine runs a command, and returns what it prints.
func runLine(t *testing.T, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), strings.Fields(line), &out, &err)
	return out.String(), err.String(), code
}

// A turn is saved, shown, dumped and opened again; what cannot be is refused.
func TestSaveSpot(t *testing.T) {
	t.Chdir(t.TempDir())
	turn := "solve poker --board Qs7h2h5c --pot 100 --stack 300 --range-oop QQ,AhJh,KsTs --range-ip 77,AQ --bets 50,a "
	many := strings.Replace(turn, "--board Qs7h2h5c", "--target 2", 1)
	if err := os.WriteFile("boards.txt", []byte("Qs7h2h5c 2\nQs7h2h5d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("blocked.txt", []byte("Qs7h2h5d\nQsQdQcAh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		code int
		want string // part of what is printed
	}{
		{turn + "--target 1 --save a.spot", cli.ExitDone, "out of position wins"},
		{turn + "--save a.spot", cli.ExitFailed, "a.spot exists"},
		{"show a.spot", cli.ExitDone, "equity"},
		{"show a.spot --at x-x-9d", cli.ExitDone, "Qs 7h 2h 5c 9d, x-x-9d, pot 100"},
		{"show a.spot --at b7", cli.ExitUsage, "possible: x, b50, b300"},
		{"show a.spot --board 9d", cli.ExitUsage, "--board has no effect on a saved spot"},
		{"show a.spot a.spot", cli.ExitUsage, "is shown alone"},
		{"show a.spot --all --until flip", cli.ExitUsage, "is not flop, turn or river"},
		{"show a.spot --json", cli.ExitDone, `"exploitability"`},
		{"show a.spot --all --json", cli.ExitDone, `"line":"x b50"`},
		{"show a.spot --all --until river", cli.ExitDone, "x x Kc,oop,"},
		{"solve poker --spot a.spot --target 1", cli.ExitDone, "out of position wins"},
		{"solve poker --spot a.spot --target 0.2 --save a.spot", cli.ExitDone, "solved from the start"},
		{"solve poker --spot a.spot --pot 7", cli.ExitUsage, "--pot cannot change the saved spot a.spot"},
		{"solve poker --spot a.spot --target 0.1", cli.ExitDone, "solved from the start"},
		{many + "--flops 1 --bets= --raises=", cli.ExitDone, "mean,,22100.0000"},
		{many + "--flops boards.txt --save boards --json --at x", cli.ExitDone, `{"board":"Qs7h2h5c","weight":2,`},
		{many + "--flops boards.txt --save boards", cli.ExitDone, "Qs7h2h5c,,2.0000"},
		{many + "--flops boards.txt --save boards --bets 50", cli.ExitFailed, "boards/Qs7h2h5c.spot has another spot"},
		{many + "--flops boards.txt --target 0.01 --iterations 9", cli.ExitFailed,
			": the target of 0.01% of the pot was missed: "},
		{many + "--range-ip QQ --flops blocked.txt --save more", cli.ExitFailed, "the same command tries the missing"},
		{"show more/Qs7h2h5d.spot", cli.ExitDone, "equity"},
		{many + "--flops 0", cli.ExitUsage, "0 is not from 1 to 1755 flops"},
		{many + "--flops none.txt", cli.ExitFailed, "a board a line, a number or all"},
		{many + "--flops 2 --board Qs7h2h", cli.ExitUsage, "--board cannot be combined with --flops"},
		{many + "--flops 2 --set nats=a --save b", cli.ExitUsage, "written by this machine only"},
		{many + "--flops 2 --memory 1KB", cli.ExitFailed, "/0 after 1 try: 9c8d7h: the spot would take 67.1 MiB"},
		{many + "--flops 2 --set nats=a --memory 1MB", cli.ExitUsage, "other machines take what they have free"},
		{turn + "--set nats=a", cli.ExitUsage, "--nats has no effect without --flops"},
		{"show boards/Qs7h2h5d.spot --at x", cli.ExitDone, "Qs 7h 2h 5d, x, pot 100"},
		{"play poker a.spot --hands 1", cli.ExitDone, "hand 1: you are out of position"},
		{"play poker a.spot --purify", cli.ExitUsage, "--purify has no effect on a saved spot"},
		{"solve poker --spot leduc --board Qs7h2h", cli.ExitUsage, "leduc, a strategy, needs one --at and a --board"},
		{"solve poker --spot leduc --at cc/ --board Qs --pot 7", cli.ExitUsage, "--pot cannot be combined"},
		{"check a.spot a.spot", cli.ExitDone, "}\na.spot: strategy for solved spot of no-limit hold'em"},
		{"evaluate a.spot", cli.ExitFailed, "gamebots show"},
	} {
		out, log, code := runLine(t, c.line)
		if code != c.code || !strings.Contains(out+log, c.want) {
			t.Errorf("%s: exit status %d, %.500s%.500s, want %q", c.line, code, out, log, c.want)
		}
	}
	whole, err := os.ReadFile("a.spot")
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.spot")
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"show ", "play poker ", "solve poker --spot "} {
		if _, log, code := runLine(t, command+cut); code != cli.ExitFailed || !strings.Contains(log, "cut short") {
			t.Errorf("%s a file cut short: exit status %d, %s", command, code, log)
		}
	}
}
