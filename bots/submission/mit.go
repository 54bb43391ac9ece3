package submission

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/bots/proc"
	"gamebots/bots/sites/mit"
)

// commands is the file that the engine of MIT Pokerbots reads.
const commands = "commands.json"

// The limits of MIT Pokerbots.
const (
	mitBytes   = 100_000_000 // the folder as a zip file
	mitConnect = 10 * time.Second
	// MITClock is the clock of the contest's base engine, the shortest of any year.
	MITClock = 30 * time.Second
)

// WriteMIT creates a folder for the engine of MIT Pokerbots, which must not exist. After an error it
// still does not.
func (e *Entry) WriteMIT(dir string) error {
	if err := mit.CheckGame(e.Game); err != nil {
		return err
	}
	run := []string{"./" + program, "play", "mit", "--config", settings}
	if e.Prepared != nil { // the port becomes $1
		run = []string{"sh", "-c", `XDG_CACHE_HOME="$PWD/` + cache + `" exec ./` + program + ` play mit --config ` +
			settings + ` "$1"`, "mit"}
	}
	list, err := json.MarshalIndent(mitCommands{Build: []string{}, Run: run}, "", "  ")
	if err != nil {
		return err
	}
	return e.write(dir, text{commands, string(list) + "\n", 0o644})
}

// mitCommands are the commands of a folder. The engine adds a port to those that run a bot.
type mitCommands struct {
	Build []string `json:"build"`
	Run   []string `json:"run"`
}

// MITCheck configures the check of a folder for MIT Pokerbots.
type MITCheck struct {
	Dir    string
	Rounds int
}

// Run checks the folder: its size, and that its bot answers what an engine of the contest said, see [dialogue]. Faults
// of the folder are in the verdict; an error has another cause, such as the end of ctx.
func (c *MITCheck) Run(ctx context.Context) (*Verdict, error) {
	v := &Verdict{}
	size, err := zipped(c.Dir)
	if err != nil {
		return nil, err
	}
	v.add(size <= mitBytes, "size, compressed", "at most 100 MB", "%.1f MB", float64(size)/1e6)
	err = c.match(ctx, v)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		v.add(false, "match", "to its end", "%v", err)
	}
	if v.OK() {
		v.Reason = ""
	}
	return v, nil
}

// zipped returns how many bytes a folder takes as a zip file.
func zipped(dir string) (int64, error) {
	var size int64
	z := zip.NewWriter(writerFunc(func(text []byte) error { size += int64(len(text)); return nil }))
	err := z.AddFS(os.DirFS(dir))
	return size, errors.Join(err, z.Close())
}

// match has the bot answer.
func (c *MITCheck) match(ctx context.Context, v *Verdict) error {
	data, err := os.ReadFile(filepath.Join(c.Dir, commands))
	if err != nil {
		return err
	}
	var list mitCommands
	if err := json.Unmarshal(data, &list); err != nil || len(list.Run) == 0 {
		return fmt.Errorf("%s has no command to run", commands)
	}
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	defer l.Close()
	home, err := os.MkdirTemp("", "package-check-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	b, err := startBot(c.Dir, home, list.Run[0], append(list.Run[1:], port)...)
	if err != nil {
		return err
	}
	err = c.serve(ctx, v, l, b)
	over := time.Now()
	ended := b.wait(ctx, mitConnect)
	v.add(ended, "end after the match", "within "+span(mitConnect), "%s", proc.TimeText(time.Since(over)))
	if said := b.LastErrors(1); said != "" {
		v.Reason = "it said: " + said
	}
	return err
}

// serve asks a bot that was started.
func (c *MITCheck) serve(ctx context.Context, v *Verdict, l *net.TCPListener, b *bot) error {
	defer context.AfterFunc(ctx, func() { l.Close() })()
	if err := l.SetDeadline(b.began.Add(mitConnect)); err != nil {
		return err
	}
	stop := b.onEnd(func() { l.Close() })
	conn, err := l.Accept()
	stop()
	switch {
	case errors.Is(err, net.ErrClosed):
		return fmt.Errorf("it ended before it connected: %w", b.failure())
	case err != nil:
		return fmt.Errorf("it does not connect within %s", span(mitConnect))
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	v.add(true, "connects", "within "+span(mitConnect), "%s", proc.TimeText(time.Since(b.began)))
	return c.ask(v, conn)
}

// dialogue is what an engine of the contest has said to a player that calls, which every strategy knows. A line has the
// legal answers, with the bounds of a raise, and all that was said in the round until a question, but for the clock. It
// was recorded by TestRecording of package mit.
//
//go:embed mit.txt
var dialogue string

// ask plays rounds of the dialogue. Each is over with its question: what follows depends on the answer.
func (c *MITCheck) ask(v *Verdict, conn net.Conn) (err error) {
	lines := slices.Collect(strings.Lines(dialogue))
	answers := bufio.NewReader(conn)
	left, illegal, n := MITClock, 0, 0
	for ; n < c.Rounds; n++ {
		choices, said, _ := strings.Cut(lines[n%len(lines)], " ")
		start := time.Now()
		_ = conn.SetDeadline(start.Add(left)) // if the connection is closed, the write fails
		var answer []byte
		if _, err = fmt.Fprintf(conn, "T%.3f %s", left.Seconds(), said); err == nil {
			answer, err = answers.ReadSlice('\n') // a longer line than any is an error
		}
		if left -= time.Since(start); left <= 0 {
			left, err = 0, cmp.Or(err, os.ErrDeadlineExceeded)
		}
		if err != nil {
			break
		}
		if !legal(choices, strings.TrimSpace(string(answer))) {
			illegal++
		}
	}
	fmt.Fprintln(conn, "Q") // a bot that has left does not read it
	v.add(err == nil, "rounds", strconv.Itoa(c.Rounds), "%d", n)
	v.add(illegal == 0, "answers that are illegal", "none", "%d", illegal)
	v.add(left > 0, "clock that is left", "of "+span(MITClock), "%s", proc.TimeText(left))
	return err
}

// legal reports whether an answer is among choices such as FCR4:400: to fold, to call, and to raise to 4 to 400 chips.
func legal(choices, answer string) bool {
	letters, bounds, _ := strings.Cut(choices, "R")
	to, raises := strings.CutPrefix(answer, "R")
	if !raises {
		return len(answer) == 1 && strings.Contains(letters, answer)
	}
	var least, most uint64
	_, none := fmt.Sscanf(bounds, "%d:%d", &least, &most)
	chips, err := strconv.ParseUint(to, 10, 16)
	return none == nil && err == nil && least <= chips && chips <= most
}
