//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr/train"
)

// trainLeduc is a training of about a second with many checkpoints.
func trainLeduc(file string) *exec.Cmd {
	cmd := exec.Command("gamebots", "train", "leduc", "--iterations", "60000", "-o", file, "--json")
	cmd.Env = append(os.Environ(), checkpointEnv+"=20ms")
	return cmd
}

// done returns the output of a training.
func done(t *testing.T, stdout *bytes.Buffer) train.Result {
	t.Helper()
	var r train.Result
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("printed %q: %v", stdout, err)
	}
	return r
}

// TestKilledTraining kills a training again and again; it goes on each time,
// and ends with the same bytes as one that was left alone.
func TestKilledTraining(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]os.Signal{"SIGKILL": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			whole, file := filepath.Join(folder, "whole"), filepath.Join(folder, "killed")
			if out, err := trainLeduc(whole).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			kills := 1
			if testkit.SlowEnabled() {
				kills = 3
			}
			for range kills {
				before, _ := os.ReadFile(file + ".checkpoint")
				var stderr bytes.Buffer
				cmd := trainLeduc(file)
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				saved := before
				for range 10_000 { // a millisecond each: it must not wait for good
					if saved, _ = os.ReadFile(file + ".checkpoint"); !bytes.Equal(saved, before) {
						break
					}
					time.Sleep(time.Millisecond)
				}
				if err := cmd.Process.Signal(kill); err != nil {
					t.Fatal(err)
				}
				err := cmd.Wait()
				gentle := kill == syscall.SIGTERM
				if gentle != (cmd.ProcessState.ExitCode() == cli.ExitFailed) ||
					gentle != strings.Contains(stderr.String(), "the same command continues") {
					t.Fatalf("%v: %s", err, &stderr)
				}
				if resumed := strings.Contains(stderr.String(), `"resumed"`); resumed != (before != nil) {
					t.Errorf("resumed: %v", resumed)
				}
			}
			var stdout bytes.Buffer
			cmd := trainLeduc(file)
			cmd.Stdout = &stdout
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			if r := done(t, &stdout); r.Iterations != 60000 {
				t.Errorf("%d iterations, want 60000", r.Iterations)
			}
			want, _ := os.ReadFile(whole)
			got, err := os.ReadFile(file)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("other bytes than without interruption (%v)", err)
			}
			if left, _ := os.ReadDir(folder); kill == syscall.SIGTERM && len(left) != 4 {
				t.Errorf("left in the folder: %v", left)
			}
		})
	}
}

// TestTrainingOnFullDisk fails to save, says so, and loses no file that was
// there.
func TestTrainingOnFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "leduc.strategy")
	train := func(iterations string) (int, *bytes.Buffer, string) {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"train", "leduc", "--iterations", iterations, "-o", file, "--json"}, &stdout,
			&stderr)
		return code, &stdout, stderr.String()
	}
	if code, _, stderr := train("100"); code != cli.ExitDone {
		t.Fatal(stderr)
	}
	// A process of its own has the limit: in this one it would also meet the
	// log that go test keeps. Where there is room for the strategy alone, it is saved.
	alone := filepath.Join(t.TempDir(), "leduc.strategy")
	for _, test := range []struct {
		blocks, file string // blocks are of 512 bytes
		saved        bool
		hint         string
	}{
		{"2", file, false, "the same command continues from the checkpoint of 100 iterations"},
		{"7", file, true, "the same command continues from the checkpoint of 100 iterations"},
		{"2", alone, false, "nothing was saved, so the same command begins again"},
		{"7", alone, true, "the strategy is saved, but without a checkpoint"},
	} {
		before, _ := os.ReadFile(test.file)
		out, err := exec.Command("sh", "-c",
			"ulimit -f "+test.blocks+" && exec gamebots train leduc --iterations 500 -o "+test.file).CombinedOutput()
		for _, want := range []string{"exploitability  ", "gamebots: error: write checkpoint " + test.file,
			"file too large", test.hint} {
			if err == nil || !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s blocks: %v, without %q: %s", test.blocks, err, want, out)
			}
		}
		if errorLines := bytes.Count(out, []byte("file too large\n")); errorLines != 1 {
			t.Errorf("%s blocks: %d lines of errors: %s", test.blocks, errorLines, out)
		}
		after, _ := os.ReadFile(test.file)
		if bytes.Equal(after, before) == test.saved || bytes.Contains(out, []byte("written to ")) != test.saved {
			t.Errorf("%s blocks: the strategy changed: %v: %s", test.blocks, !bytes.Equal(after, before), out)
		}
	}
	code, stdout, log := train("500")
	if code != cli.ExitDone || !strings.Contains(log, `"iterations":100,"spent"`) {
		t.Errorf("exit status %d, without going on: %s", code, log)
	}
	if r := done(t, stdout); r.Iterations != 500 {
		t.Errorf("%d iterations, want 500", r.Iterations)
	}
}

// A curve that cannot be written costs neither the strategy nor the printed result.
func TestNoCurve(t *testing.T) {
	file, folder := filepath.Join(t.TempDir(), "kuhn.strategy"), t.TempDir()
	var stdout bytes.Buffer
	stderr := &removing{folder: folder}
	code := run(t.Context(), []string{"train", "kuhn", "--iterations", "50", "-o", file, "--plot",
		filepath.Join(folder, "kuhn.csv")}, &stdout, stderr)
	if code != cli.ExitFailed || !strings.Contains(stderr.String(), "gamebots: error: open "+folder) {
		t.Errorf("exit status %d: %s", code, stderr)
	}
	if !strings.Contains(stdout.String(), "written to      "+file) {
		t.Errorf("no result: %s", &stdout)
	}
}

// removing removes a folder as soon as something is logged.
type removing struct {
	bytes.Buffer
	folder string
}

func (r *removing) Write(text []byte) (int, error) {
	os.RemoveAll(r.folder)
	return r.Buffer.Write(text)
}

// A second training into a file is refused before any work, by the lock of the first.
func TestTrainingIntoOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kuhn.strategy")
	release, err := cli.Hold(file, "-o")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	train := []string{"train", "kuhn", "--iterations", "5", "-o", file}
	if code := run(t.Context(), train, &stdout, &stderr); code != cli.ExitFailed ||
		!strings.Contains(stderr.String(), "kuhn.strategy is being written by another gamebots") ||
		strings.Contains(stderr.String(), `"training"`) {
		t.Errorf("exit status %d: %s", code, &stderr)
	}
	release()
	if code := run(t.Context(), train, &stdout, &stderr); code != cli.ExitDone {
		t.Errorf("after the first: exit status %d: %s", code, &stderr)
	}
}

// A training that is interrupted while its cards are prepared leaves neither a strategy nor
// a checkpoint.
func TestInterruptedPreparation(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command("gamebots", "train", "holdem-limit-2p", "--abstraction", "quick", "-o",
		filepath.Join(folder, "q.strategy"))
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+folder)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for lines := bufio.NewScanner(log); lines.Scan(); {
		fmt.Fprintln(&text, lines.Text())
		if strings.Contains(lines.Text(), "preparing cards") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(text.String(), "gamebots: error: interrupted\n") {
		t.Errorf("%v: %s", err, &text)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

// The time of all runs counts together.
func TestTrainingTimeOver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kuhn.strategy")
	var iterations [2]uint64
	for i := range iterations {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"train", "kuhn", "--time", "50ms", "-o", file, "--json"}, &stdout,
			&stderr); code != cli.ExitDone {
			t.Fatal(&stderr)
		}
		r := done(t, &stdout)
		iterations[i] = r.Iterations
		if r.Seconds < .05 {
			t.Errorf("%v s in all, want at least .05", r.Seconds)
		}
	}
	if iterations[0] == 0 || iterations[0] != iterations[1] {
		t.Errorf("%d iterations, then %d", iterations[0], iterations[1])
	}
}
