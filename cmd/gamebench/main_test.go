package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"gamebots/cmd/internal/cli"
	"gamebots/cmd/internal/cli/clitest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gamebench": main})
}

// The scripts show the program as a user sees it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool,
			args []string){"status": clitest.Status},
	})
}

func TestEveryCommandHasHelp(t *testing.T) { clitest.Help(t, newRoot()) }

func TestDocumented(t *testing.T) {
	for _, line := range clitest.Documented(t, newRoot()) {
		name, _, _ := strings.Cut(line, " ")
		if cmd, _, err := newRoot().Find([]string{name}); err == nil && cmd.Name() == name {
			continue // one of the commands that are no benchmarks
		}
		if _, err := Named(name); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The signature changes when results do, and then on purpose: run this test
// with -update and say in the commit why.
func TestSignature(t *testing.T) {
	const golden = "../../configs/signature.golden"
	var got, stderr bytes.Buffer
	if code := cli.Run(t.Context(), newRoot(), []string{"--signature"}, &got, &stderr); code != cli.ExitDone {
		t.Fatalf("exit status %d: %s", code, &stderr)
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("signature (-golden +now):\n%s", diff)
	}
}
