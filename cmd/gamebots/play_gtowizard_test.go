package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"gamebots/acpc/history"
	"gamebots/bots/poker"
	"gamebots/bots/sites/gtowizard/gtowizardtest"
	"gamebots/bots/sites/gtowizard/standin"
	"gamebots/configs"
	"gamebots/internal/testkit"
	"gamebots/internal/usererr"

	"github.com/rogpeppe/go-internal/testscript"
)

// gtowizardKey is the key of the tests' stand-in.
const gtowizardKey = "s3cret-k3y-of-the-tests"

// newStandin returns a stand-in for GTO Wizard's site.
func newStandin(bot string) (*gtowizardtest.Site, error) {
	game, err := configs.Game(siteGame)
	if err != nil {
		return nil, err
	}
	opponent, err := poker.NewOpponent(bot, 7)
	return &gtowizardtest.Site{Server: &standin.Server{Game: game, Bot: opponent, Key: gtowizardKey}}, err
}

func init() { scriptCommands["gtowizard"] = startGTOWizard }

// startGTOWizard is the script command "gtowizard": it sets $SITE to a stand-in for GTO Wizard's site, and $KEY to its
// key.
func startGTOWizard(ts *testscript.TestScript, _ bool, _ []string) {
	s, err := newStandin("call")
	ts.Check(err)
	server := httptest.NewServer(s)
	ts.Defer(server.Close)
	ts.Setenv("SITE", server.URL)
	ts.Setenv("KEY", gtowizardKey)
}

// A client that is killed at any moment, at a site that fails now and then: each hand is played to its end, once, and
// is in the log unless its last answer was lost or came when the client was killed. The moments are numbers of
// requests, not of seconds.
func TestKilledGTOWizard(t *testing.T) {
	t.Parallel()
	killGTOWizard(t, 150, 3)
}

// The same for a long match.
func TestKilledGTOWizardOften(t *testing.T) {
	testkit.SlowOnly(t)
	t.Parallel()
	killGTOWizard(t, 5000, 20)
}

func killGTOWizard(t *testing.T, hands, kills int) {
	s, err := newStandin("random")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(52, 1))
	const concurrent = 5
	murder, left := make(chan struct{}, 1), new(atomic.Int64) // requests until the next kill
	faults := gtowizardtest.Faults(random, 0.02)
	s.Fault = func(n int) gtowizardtest.Fault {
		if left.Add(-1) == 0 {
			murder <- struct{}{}
		}
		return faults(n)
	}
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // connections are cut on purpose
	server.Start()
	defer server.Close()
	folder, secrets := t.TempDir(), t.TempDir()
	key := filepath.Join(secrets, "key")
	if err := os.WriteFile(key, []byte(gtowizardKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(folder, "hands.phhs")
	killed, output := 0, ""
	for over := false; !over; {
		if left.Store(0); killed < kills {
			left.Store(1 + random.Int64N(int64(5*hands/kills))) // about as many as there are
		}
		out, done := runGTOWizard(t, murder, folder, "play", "gtowizard", "--site", server.URL, "--key-file", key,
			"--bot", "random", "--hands", fmt.Sprint(hands), "--concurrent", fmt.Sprint(concurrent), "--log", record)
		output += out
		if over = done; !over {
			killed++
		}
	}
	finished, open := s.Hands()
	requests, spoiled, refused := s.Counts()
	logged := map[int64]bool{}
	for h, err := range history.Hands([]string{record}, s.Game) {
		if err != nil {
			t.Fatal(err)
		}
		one, position := finished[int64(h.HandID)], 0
		if one != nil {
			position = one.Position
		}
		if one == nil || logged[int64(h.HandID)] || h.Values[position] != one.State.Value(position) {
			t.Errorf("hand %d is in the log a second time, or is not that of the server", h.HandID)
		}
		logged[int64(h.HandID)] = true
	}
	unread, lost := 0, 0
	for id := range finished {
		if !logged[id] {
			if lost++; s.Unread(id) {
				unread++
			}
		}
	}
	if len(logged) != hands || len(open) > 0 || len(refused) > 0 || lost > unread+killed*concurrent {
		t.Errorf("%d hands in the log, %d open, %d refusals %.1q; %d not in the log, of which %d had no last answer",
			len(logged), len(open), len(refused), refused, lost, unread)
	}
	t.Logf("%d requests, %d spoiled, %d kills; %d hands at the server, %d in the log, %d without a last answer",
		requests, spoiled, killed, len(finished), len(logged), unread)
	told := fmt.Sprintf("the last answer was lost: %s, ", usererr.Counted(lost, "hand", "hands"))
	if lost > 0 != strings.Contains(output, told) {
		t.Errorf("%d hands are not in the log: %s", lost, output)
	}
	if strings.Contains(output, gtowizardKey) {
		t.Errorf("the key is printed")
	}
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(gtowizardKey)) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// runGTOWizard runs gamebots in a folder until it is over, or kills it when that is asked for.
func runGTOWizard(t *testing.T, murder chan struct{}, folder string, args ...string) (output string, over bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Args, cmd.Dir = append([]string{"gamebots"}, args...), folder // under this name the test program is gamebots
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-murder:
		cmd.Process.Kill()
		err = <-done
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && !exit.Exited() {
		return out.String(), false
	}
	if err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return out.String(), true
}
