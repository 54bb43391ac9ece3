//go:build unix

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/testkit"
)

// interruption is a command that runs for long, and what it promises to leave when it is interrupted.
type interruption struct {
	// line is the command line, for a folder of its own. $IN is the folder of [interruptedInputs], $LIMIT and $NOLIMIT
	// are shipped strategies, $LISTENER is a port of loopback that accepts connections and stays silent, $PORT a port
	// that is free, $EMPTY a position of Havannah, and $MANY are a hundred checkpoints.
	line string
	// within is the time in which the command is interrupted, from its start; a second if it is 0.
	within time.Duration
	// serves tells that the command has nothing else to do than to run until it is interrupted.
	serves bool
	typed  bool // standard input stays open; otherwise it is empty
	// finishes is a part of what the command may say that it still does, in which case it may end later.
	finishes string
	// leaves are the patterns of files that may be left, beside locks.
	leaves []string
	// then are command lines that must succeed with what is left: each where there is a file of its first word.
	then []string
	// error is what is printed, if not the usual error.
	error string
}

// interruptions has every command that may run for longer than a second.
var interruptions = []interruption{
	{line: "train leduc --iterations 100000000 --json", leaves: []string{"leduc.strategy*"},
		then: []string{"leduc.strategy.checkpoint train leduc --time 1ms", "leduc.strategy check leduc.strategy"}},
	{line: "train rhode-island --iterations 1000000 --algorithm cfr+", leaves: []string{"rhode-island.strategy*"},
		then: []string{"rhode-island.strategy.checkpoint check rhode-island.strategy.checkpoint"}},
	{line: "train holdem-limit-2p --abstraction quick --iterations 1000000000",
		leaves: []string{"holdem-limit-2p.strategy*"},
		then:   []string{"holdem-limit-2p.strategy check holdem-limit-2p.strategy"}},
	{line: "train rhode-island --algorithm pcs+(4) --time 1h", leaves: []string{"rhode-island.strategy*"},
		then: []string{"rhode-island.strategy.checkpoint check rhode-island.strategy.checkpoint"}},
	{line: "train rhode-island --algorithm public-cfr-br --time 1h", leaves: []string{"rhode-island.strategy*"},
		then: []string{"rhode-island.strategy.checkpoint check rhode-island.strategy.checkpoint"}},
	{line: "train holdem-limit-2p --abstraction quick --algorithm public-cfr-br --time 1h", within: 4 * time.Second,
		leaves: []string{"holdem-limit-2p.strategy*"}, finishes: "writing holdem-limit-2p.strategy.checkpoint", // a GiB
		then: []string{"holdem-limit-2p.strategy.checkpoint check holdem-limit-2p.strategy.checkpoint"}},
	{line: "train holdem-nolimit-2p --abstraction quick --actions lean --time 1h", within: 4 * time.Second,
		leaves: []string{"holdem-nolimit-2p.strategy*"},
		then:   []string{"holdem-nolimit-2p.strategy.checkpoint check holdem-nolimit-2p.strategy.checkpoint"}},
	{line: "train leduc-nolimit --algorithm external --time 1h", leaves: []string{"leduc-nolimit.strategy*"},
		then: []string{"leduc-nolimit.strategy.checkpoint train leduc-nolimit --algorithm external --time 1ms"}},
	{line: "train havannah --sides 4 --steps 1000000 --set match-every=1", finishes: "finishing a step",
		leaves: []string{"havannah.net*"},
		then:   []string{"havannah.net check havannah.net havannah.net.checkpoint"}},
	{line: "abstract holdem-limit-2p --recipe holdem-1000", within: 4 * time.Second,
		leaves: []string{"holdem-1000.buckets.partial"}},
	{line: "evaluate $LIMIT --by real --save real", leaves: []string{"real"}},
	{line: "evaluate --bot call --game holdem-limit-2p --by real"},
	{line: "evaluate $NOLIMIT --json", within: 4 * time.Second},
	{line: "evaluate $NOLIMIT --json --actions 56 --rounds flop,turn,river --solve 150 --solve-from flop",
		within: 4 * time.Second},
	{line: "evaluate $IN/quick.strategy --by learned --iterations 1000000000"},
	{line: "evaluate --bot call --game holdem-limit-2p --by boards --time 1h --save real", leaves: []string{"real"}},
	{line: "estimate $IN/leduc.strategy $IN/long.log --player c"},
	{line: "show $NOLIMIT --all"},
	{line: "show $IN/a.strategy $IN/b.strategy"},
	{line: "arena run $IN/arena.toml --json", leaves: []string{"arena.db*"},
		then: []string{"arena.db arena list --json"}},
	{line: "arena run $IN/havannah.toml", leaves: []string{"arena.db*"}, then: []string{"arena.db arena list"}},
	{line: "arena export --database $IN/arena.db --format phh -o hands.phhs"},
	{line: "arena rank --database $IN/arena.db --aivat"},
	{line: "arena plot --database $IN/arena.db -o plot.svg", leaves: []string{"plot.svg"}}, // if it was just done
	{line: "match havannah --a mcts --b playouts --games 10000 --out games.jsonl --json",
		leaves: []string{"games.jsonl"}},
	{line: "match havannah --a mcts,simulations=10 --b gtp:$IN/deaf --side 4"},
	{line: "match havannah --a gtp:$IN/deaf --b mcts,simulations=1000000000 --side 8"},
	{line: "match havannah --a mcts,simulations=10 --b gtp:$IN/mute --side 4"},
	{line: "dealer match leduc 1000000 1 Alice Bob", leaves: []string{"match.*log"}, error: "ERROR: "},
	{line: "check $IN/long.log"},
	{line: "convert $IN/long.log long.phhs"},
	{line: "convert $IN/long.log --to csv"},
	{line: "convert $LIMIT small.strategy --bits 4"},
	{line: "package acpc $IN/leduc.strategy submission", leaves: []string{"submission", "submission/**"}},
	{line: "demo --folder demo --hands 1000000", within: 5 * time.Second, leaves: []string{"demo", "demo/*"}},
	{line: "play acpc 127.0.0.1 $LISTENER --bot call --game leduc"},
	{line: "play poker holdem-nolimit-2p --against $NOLIMIT --solve 3000 --solve-from flop --log mine.log", typed: true,
		leaves: []string{"mine.log"}},
	{line: "play hex http://127.0.0.1:$LISTENER --name bot --rules nim --bot xor --token-file bot.token", serves: true,
		leaves: []string{"bot.token"}},
	{line: "play abstractplay --client-id bot --secret-file $IN/secret --set site.key_file=$IN/ssh.pub " +
		"--set site.token_url=http://127.0.0.1:$LISTENER --listen 127.0.0.1:$PORT", serves: true,
		leaves: []string{"abstractplay.json"}},
	{line: "play gtowizard --site http://127.0.0.1:$LISTENER --bot call --key-file $IN/key"},
	{line: "play gtowizard --practice --bot random --hands 1000000 --log hands.phhs", leaves: []string{"hands.phhs"},
		then: []string{"hands.phhs convert hands.phhs again.log"}},
	{line: "play slumbot --site http://127.0.0.1:$LISTENER --bot call"},
	{line: "gtp havannah", typed: true},
	{line: "serve --listen 127.0.0.1:$PORT", serves: true, leaves: []string{"gamebots.db*"}},
	{line: "grid work --nats nats://127.0.0.1:$PORT", serves: true},
	{line: "grid serve --listen 127.0.0.1:$PORT", serves: true, leaves: []string{"grid", "grid/**"}},
	{line: "check $MANY"},
	{line: "solve nash --generate RandomGame --size 18"},
	{line: "solve nash -", typed: true},
	{line: "solve extensive leduc --method sequence"},
	{line: "solve extensive leduc --method cfr+ --iterations 100000000 --json"},
	{line: "solve extensive leduc-3p --method external --iterations 100000000 --json"},
	{line: "solve havannah --side 4"},
	{line: "solve nim 15,15,15,15,15,15,15 --exact --max-take 3"},
	{line: "solve nim 1,3,5,7,9,11,13,15 --depth 12 --table=false"},
	{line: "solve snake --dimension 8 --level 3 --time 1h --checkpoint state --output best.snake",
		leaves: []string{"state", "best.snake"}, then: []string{"best.snake check best.snake"}},
	{line: "solve snake --dimension 10 --level 3 --time 1h --json"},
	{line: "solve poker --spot turn-all-hands --iterations 1000000 --target 0.00001 --json"},
	{line: "solve poker --spot postflop-flop --iterations 1000000 --target 0.00001 --json", within: 4 * time.Second,
		finishes: "evaluating the solution so far"},
	{line: "analyse havannah $EMPTY --simulations 1000000000 --json"},
	{line: "analyse havannah $EMPTY --playouts 1000000000 --json"},
	{line: "analyse havannah $IN/game.txt --simulations 1000000000"},
	{line: "judge --game leduc -o card.html -- $IN/mute", leaves: []string{"card.html"}},
	{line: "judge --game havannah --deals 1000 -o card.html -- $IN/mute"},
	{line: "evaluate --program $IN/mute --game leduc"},
	{line: "evaluate $NOLIMIT --by lbr --hands 1000000 --json"},
	{line: "equity random random random AA"},
	{line: "solve preflop"},
	{line: "solve poker --spot texas-flop --flops 25 --nats embedded=127.0.0.1:$PORT --set nats-own=1"},
	{line: "arena run $IN/arena.toml --nats embedded=127.0.0.1:$PORT --nats-own 1", leaves: []string{"arena.db*"},
		then: []string{"arena.db arena list --json"}},
	{line: "train goofspiel-6 --iterations 1000000", leaves: []string{"goofspiel-6.strategy*"}},
	{line: "policy $LIMIT", typed: true},
	{line: "mcp", typed: true, serves: true},
}

// Every command that runs for long is interrupted at random moments, and must end within a second or say what it still
// does, print nothing torn, and leave what it promises. The moments come from a seed, but what has happened by then
// does not.
func TestInterruptions(t *testing.T) {
	testkit.SlowOnly(t)
	often := 1
	if text := os.Getenv(interruptionsEnv); text != "" {
		var err error
		if often, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", interruptionsEnv, err)
		}
	}
	in := interruptedInputs(t)
	random := rand.New(rand.NewPCG(50, 5))
	var table strings.Builder
	defer func() { t.Logf("seconds from the signal to the end of the process:\n%s", &table) }()
	for _, c := range interruptions {
		t.Run(c.line, func(t *testing.T) {
			var times []time.Duration
			for i := range often {
				signal := []os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]
				times = append(times, c.interrupt(t, in, random, signal))
			}
			slices.Sort(times)
			fmt.Fprintf(&table, "%6.3f median %6.3f max  %s\n", times[len(times)/2].Seconds(),
				times[len(times)-1].Seconds(), c.line)
		})
	}
}

// interruptionsEnv is how often TestInterruptions interrupts each command, if not once. Five times take five minutes.
const interruptionsEnv = "GAMEBOTS_INTERRUPTIONS"

// interrupt interrupts the command at a random moment, and returns how long it took to end. A command that is late is
// tried again, because another program may have had the processors; and an end that comes late on all tries is measured
// by how much slower the machine is than an idle one.
func (c *interruption) interrupt(t *testing.T, in string, random *rand.Rand, signal os.Signal) time.Duration {
	t.Helper()
	within := cmp.Or(c.within, time.Second)
	late, done := 0, 0
	for {
		moment := time.Duration(random.Int64N(int64(within)))
		r := c.run(t, in, moment, signal)
		if r != nil && r.status == cli.ExitDone && !c.serves && done < 3 { // it was done at that moment
			done++
			continue
		}
		if r == nil { // it was done before
			if within /= 2; within < 50*time.Millisecond {
				t.Fatal("the command is too short to be interrupted")
			}
			continue
		}
		c.check(t, in, r)
		slow := slowness()
		switch {
		case r.took <= time.Duration(slow*float64(time.Second)):
			return r.took
		case c.finishes != "" && strings.Contains(r.stderr, c.finishes+"; Ctrl-C again ends at once"):
			return r.took
		case late == 2:
			t.Errorf("%v after %v: it ended after %v, and the machine was %.1f times as slow as an idle one:\n%s",
				signal, moment, r.took, slow, shortened(r.stderr))
			return r.took
		}
		late++
	}
}

// interruptedRun is a run of a command that was interrupted.
type interruptedRun struct {
	folder, stdout, stderr string
	status                 int
	took                   time.Duration // from the signal
}

// run runs the command in a folder of its own and interrupts it. It returns nil if the command was done before.
func (c *interruption) run(t *testing.T, in string, moment time.Duration, signal os.Signal) *interruptedRun {
	t.Helper()
	r := &interruptedRun{folder: t.TempDir()}
	cmd := interruptible(t, in, r.folder, c.line)
	var stdout, stderr bytes.Buffer
	if cmd.Stderr = &stderr; strings.Contains(c.line, "--json") { // others print up to gigabytes
		cmd.Stdout = &stdout
	}
	if c.typed {
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
	}
	mark := fmt.Sprintf("GAMEBOTS_INTERRUPTED=%d", rand.Uint64())
	cmd.Env = append(cmd.Env, mark)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("before the signal: %v: %s", err, shortened(stderr.String()))
		}
		return nil
	case <-time.After(moment):
	}
	for i := 0; i < 1000 && ignoresInterrupt(cmd.Process.Pid); i++ {
		time.Sleep(time.Millisecond)
	}
	over := isOver(cmd.Process.Pid)
	start := time.Now()
	_ = cmd.Process.Signal(signal) // may just have ended
	hung := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	err := <-ended
	hung.Stop()
	r.took = time.Since(start)
	r.stdout, r.stderr = stdout.String(), stderr.String()
	exit := (*exec.ExitError)(nil)
	if errors.As(err, &exit) {
		r.status = exit.ExitCode()
	}
	if r.status < 0 { // it had not yet asked for signals
		if exit.Sys().(syscall.WaitStatus).Signal() != signal {
			t.Fatalf("%v after %v: it did not end within a minute: %s", signal, moment, shortened(r.stderr))
		}
		return c.run(t, in, moment+10*time.Millisecond, signal)
	}
	if over {
		return nil
	}
	for range 100 {
		if len(marked(mark)) == 0 {
			return r
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("it has left processes running: %q", marked(mark))
	return r
}

// interruptible returns a command of this program in a folder.
func interruptible(t *testing.T, in, folder, line string) *exec.Cmd {
	t.Helper()
	shipped, err := filepath.Abs("../../configs/strategies")
	if err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$EMPTY", "side=8 :", "$IN", in,
		"$LISTENER", silentPort(t), "$PORT", testkit.FreePort(t),
		"$LIMIT", filepath.Join(shipped, "holdem-limit-2p.strategy"),
		"$NOLIMIT", filepath.Join(shipped, "holdem-nolimit-2p.strategy"))
	var words []string
	for word := range strings.FieldsSeq(line) {
		if word == "$MANY" {
			words = append(words, slices.Repeat([]string{filepath.Join(in, "a.strategy.checkpoint")}, 100)...)
			continue
		}
		words = append(words, variables.Replace(word))
	}
	cmd := exec.Command("gamebots", words...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+in, "XDG_CONFIG_HOME="+in, "XDG_CACHE_HOME="+in)
	return cmd
}

// check checks what an interrupted command has printed and left.
func (c *interruption) check(t *testing.T, in string, r *interruptedRun) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\nit printed %q and %q", fmt.Sprintf(format, args...), shortened(r.stdout), shortened(r.stderr))
	}
	want, message := cli.ExitFailed, "gamebots: error: interrupted"
	if c.error != "" {
		message = c.error
	}
	if c.serves {
		want, message = cli.ExitDone, ""
	}
	if r.status != want || !strings.Contains(r.stderr, message) {
		fail("exit status %d, want %d with %q", r.status, want, message)
	}
	if strings.Contains(c.line, "--json") {
		for d := json.NewDecoder(strings.NewReader(r.stdout)); ; {
			if err := d.Decode(new(any)); err == io.EOF {
				break
			} else if err != nil {
				fail("%v", err)
				break
			}
		}
	}
	err := filepath.WalkDir(r.folder, func(path string, d fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(r.folder, path); err == nil && name != "." && !c.mayLeave(name) {
			fail("it has left %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, line := range c.then {
		file, line, _ := strings.Cut(line, " ")
		if _, err := os.Stat(filepath.Join(r.folder, file)); err != nil {
			continue
		}
		if out, err := interruptible(t, in, r.folder, line).CombinedOutput(); err != nil {
			fail("then %s: %v: %s", line, err, out)
		}
	}
}

// shortened leaves out the middle of a long text.
func shortened(text string) string {
	const half = 500
	if len(text) <= 2*half {
		return text
	}
	return text[:half] + "…" + text[len(text)-half:]
}

// mayLeave reports whether an interrupted command may leave a file.
func (c *interruption) mayLeave(name string) bool {
	if base := filepath.Base(name); strings.HasSuffix(base, ".lock") {
		return true
	} else if temporaryName.MatchString(base) {
		return false
	}
	return slices.ContainsFunc(c.leaves, func(pattern string) bool {
		if folder, ok := strings.CutSuffix(pattern, "/**"); ok {
			return strings.HasPrefix(name, folder+"/")
		}
		ok, err := filepath.Match(pattern, name)
		return err == nil && ok
	})
}

// temporaryName matches the names of files that are being written, see package atomicfile.
var temporaryName = regexp.MustCompile(`^\..*[0-9]{6,}$`)

// marked returns the running processes that have a variable in their environment, where the system tells.
func marked(variable string) (names []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && bytes.Contains(text, []byte(variable)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			names = append(names, string(line))
		}
	}
	return names
}

// ignoresInterrupt reports whether a process ignores SIGINT, where the system tells: one whose parents were started in
// the background does until it asks for signals.
func ignoresInterrupt(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	_, mask, _ := strings.Cut(string(status), "\nSigIgn:\t")
	ignored, err := strconv.ParseUint(strings.SplitN(mask, "\n", 2)[0], 16, 64)
	return err == nil && ignored&(1<<(syscall.SIGINT-1)) != 0
}

// isOver reports whether a process that is not waited for has ended, where the system tells.
func isOver(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(status, []byte(") Z "))
}

// slowness is how many times as long as on an idle machine work takes now, at least 1.
func slowness() float64 {
	const wall = 100 * time.Millisecond
	before := processorTime()
	var spinning sync.WaitGroup
	end := time.Now().Add(wall)
	for range runtime.GOMAXPROCS(0) {
		spinning.Go(func() {
			for time.Now().Before(end) {
			}
		})
	}
	spinning.Wait()
	return max(1, float64(runtime.GOMAXPROCS(0))*wall.Seconds()/(processorTime()-before).Seconds())
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// silentPort returns a port of a server that accepts connections and says nothing, until the test ends.
func silentPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
		}
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// interruptedTexts are the files that are written for the commands, by name. The programs heed no signal: mute never
// answers, and deaf only until it is asked for a move.
var interruptedTexts = map[string]string{
	"key": "s3cret-k3y",
	"arena.toml": `
run = {name = "long", game = "leduc", shard = 200}
poker = {deals = 100000000}
player = [{name = "a", kind = "random"}, {name = "b", kind = "call"}]
`,
	"short.toml": `
run = {name = "short", game = "leduc"}
poker = {deals = 100000}
player = [
	{name = "a", kind = "random"},
	{name = "b", kind = "call"},
	{name = "c", kind = "strategy", strategy = "$IN/leduc.strategy"},
]
`,
	"havannah.toml": `
run = {name = "board", game = "havannah"}
board = {openings = 1000, options = '{"side":8}'}
player = [
	{name = "a", kind = "mcts", simulations = 100000},
	{name = "b", kind = "mcts", simulations = 100000},
]
`,
	"game.txt": "1 side=8 : a1 h8 a2 h9 a3 h10 a4 h11",
	"secret":   "s3cret",
	"ssh.pub":  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
	"mute": `#!/bin/sh
trap '' INT TERM HUP
while :; do sleep 1; done
`,
	"deaf": `#!/bin/sh
trap '' INT TERM HUP
while read -r line; do
	case $line in
	*genmove*) break ;;
	*) printf '= \n\n' ;;
	esac
done
while :; do sleep 1; done
`,
}

// interruptedInputs makes a folder of files that the commands read.
func interruptedInputs(t *testing.T) string {
	t.Helper()
	in := t.TempDir()
	for name, text := range interruptedTexts {
		text = strings.ReplaceAll(text, "$IN", in)
		if err := os.WriteFile(filepath.Join(in, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"train leduc --iterations 500",
		"train rhode-island --iterations 10 -o a.strategy",
		"train rhode-island --iterations 12 -o b.strategy",
		// This one fills the cache of quick cards.
		"train holdem-limit-2p --abstraction quick --iterations 100 --set no-response -o quick.strategy",
		"arena run short.toml --database arena.db",
		"arena export --database arena.db --format acpc -o long.log",
	} {
		if out, err := interruptible(t, in, in, line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	return in
}
