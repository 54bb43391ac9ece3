package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/client"
	"gamebots/acpc/dealer"
	"gamebots/configs"
)

// killsEnv is how often TestKilledDealer kills, if not a few times.
const killsEnv = "GAMEBOTS_KILLS"

// TestKilledDealer kills dealers at random moments and resumes their matches
// until they are over. The score and the log, every hand once, must be those of
// an undisturbed match. The moments come from a seed, but what has
// happened by then does not.
func TestKilledDealer(t *testing.T) {
	t.Parallel()
	kills := 10
	if text := os.Getenv(killsEnv); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", killsEnv, err)
		}
	}
	game, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	start := time.Now()
	whole, over := runDealer(t, game, filepath.Join(folder, "whole"), time.Minute)
	if !over {
		t.Fatal("the undisturbed match is not over")
	}
	usual := time.Since(start)
	wanted := logOf(t, game, filepath.Join(folder, "whole"))

	random := rand.New(rand.NewPCG(1, 2))
	killed, matches := 0, 0
	for ; killed < kills; matches++ {
		name := filepath.Join(folder, fmt.Sprint("match", matches))
		for {
			life := time.Duration(random.Int64N(int64(usual)))
			score, over := runDealer(t, game, name, life)
			if !over {
				killed++
				continue
			}
			if score != whole {
				t.Fatalf("match %d: score %q, want %q", matches, score, whole)
			}
			break
		}
		if got := logOf(t, game, name); got != wanted {
			t.Fatalf("match %d: the log differs from that of the undisturbed match", matches)
		}
	}
	t.Logf("%d kills in %d matches", killed, matches)
}

// runDealer runs or resumes a match and kills the dealer when its life is over,
// if the match is not. It returns the score's line.
func runDealer(t *testing.T, game *acpc.Game, name string, life time.Duration) (score string, over bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self)
	// Under this name the test program is gamebots.
	cmd.Args = []string{"gamebots", "dealer", name, "leduc-nolimit", "300", "11", "A", "B", "-T", "-a", "-q"}
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	murder := time.AfterFunc(life, func() { cmd.Process.Kill() })
	lines := bufio.NewReader(stdout)
	ports, _ := lines.ReadString('\n')
	var players sync.WaitGroup
	for port := range strings.FieldsSeq(ports) {
		players.Go(func() {
			conn, err := client.Dial(t.Context(), "127.0.0.1:"+port, 0)
			if err != nil {
				return // killed
			}
			c := client.Client{Game: game, Player: hashedPlayer{}}
			c.Play(t.Context(), conn) // whose end the dealer tells better
		})
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	players.Wait()
	err = cmd.Wait()
	if murder.Stop(); err == nil {
		return string(rest), true
	}
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the dealer was not killed, %v: %s", err, &stderr)
	}
	return "", false
}

// hashed acts by nothing but the state, as a player has to who is to do the
// same after the dealer is back.
func hashed(s *acpc.MatchState) (acpc.Action, error) {
	h := fnv.New32a()
	h.Write(s.Append(nil))
	minTo, maxTo, canRaise := s.RaiseBounds()
	switch choice := h.Sum32() >> 8 % 8; {
	case choice == 0 && s.CanFold():
		return acpc.Action{Type: acpc.Fold}, nil
	case choice < 4 && canRaise:
		return acpc.Action{Type: acpc.Raise, Size: min(minTo+int32(choice), maxTo)}, nil
	}
	return acpc.Action{Type: acpc.Call}, nil
}

// logOf verifies a log and returns its hands and score. A dealer that was killed
// when all was over writes the score again.
func logOf(t *testing.T, game *acpc.Game, name string) string {
	t.Helper()
	text, err := os.ReadFile(name + ".log")
	if err != nil {
		t.Fatal(err)
	}
	matches, err := dealer.Replay(name+".log", bytes.NewReader(text), game)
	if err != nil || matches[0].Score == "" {
		t.Fatalf("%+v: %v\n%s", matches, err, text)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		again := strings.HasPrefix(line, "SCORE:") && strings.HasSuffix(b.String(), line)
		if !strings.HasPrefix(line, "#") && !again {
			b.WriteString(line)
		}
	}
	return b.String()
}

// hashedPlayer is an acpc.Player that acts as hashed says.
type hashedPlayer struct{}

func (hashedPlayer) Act(_ context.Context, s *acpc.MatchState) (acpc.Action, error) { return hashed(s) }
