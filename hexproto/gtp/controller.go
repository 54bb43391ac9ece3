package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Controller sends commands to an engine. Any goroutine may use it; it sends one
// command at a time.
type Controller struct {
	mu    sync.Mutex
	in    io.Writer
	lines chan string // lines of answers; closed when the engine's output ends
	end   chan struct{}
	once  sync.Once
	err   error // why lines was closed
	ids   int
	form  string // how a command is written with its number; engines that know no numbers get none
}

// Refusal is the error of a command that the engine refused.
type Refusal struct{ Command, Text string }

func (r *Refusal) Error() string { return fmt.Sprintf("gtp: %s: %s", r.Command, r.Text) }

// ErrGone is the error of an engine whose output has ended.
var ErrGone = errors.New("gtp: the engine is gone")

// maxLine bounds the bytes of a line of an answer, maxAnswer the lines of an answer,
// which may draw a board.
const (
	maxLine   = 64 << 10
	maxAnswer = 1000
)

// NewController returns a controller of an engine that reads from in and writes
// to out. It reads until out ends.
func NewController(in io.Writer, out io.Reader) *Controller {
	c := &Controller{in: in, lines: make(chan string, 16), end: make(chan struct{}), form: "%d %s\n"}
	go c.read(out)
	return c
}

// Close ends the controller, and a command under way. It does not close the streams.
func (c *Controller) Close() { c.once.Do(func() { close(c.end) }) }

func (c *Controller) read(out io.Reader) {
	defer close(c.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		select {
		case c.lines <- clean(s.Text()):
		case <-c.end:
			return
		}
	}
	c.err = s.Err()
}

// clean removes control characters and replaces tabs by spaces, as the protocol
// requires.
func clean(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, line)
}

// Ask sends a command and returns the text of its answer. An answer with a question
// mark is a *Refusal. After any other error, also that of the context, answers may
// belong to earlier commands, and the controller must not be used any more.
func (c *Controller) Ask(ctx context.Context, command ...string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids++
	line := strings.Join(command, " ")
	if strings.ContainsAny(line, "\r\n#") {
		return "", fmt.Errorf("gtp: %q is not a command", line)
	}
	return c.ask(ctx, line)
}

// unnumbered finds an answer without number or text, or a refusal without number.
var unnumbered = regexp.MustCompile(`^(= *$|\?($|[^0-9]))`)

// withoutNumber is the form of commands for engines that know no numbers.
const withoutNumber = "%[2]s\n"

// ask sends a line and returns its answer. The caller holds the lock.
func (c *Controller) ask(ctx context.Context, line string) (string, error) {
	if err := c.write(ctx, fmt.Sprintf(c.form, c.ids, line)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrGone, err)
	}
	var answer []string
	for {
		select {
		case text, ok := <-c.lines:
			switch {
			case !ok:
				return "", errors.Join(ErrGone, c.err)
			case len(answer) == 0 && !strings.HasPrefix(text, "=") && !strings.HasPrefix(text, "?"):
				if strings.TrimSpace(text) != "" {
					return "", fmt.Errorf("gtp: %s: %q is not an answer", line, shorten(text))
				}
			case strings.TrimSpace(text) == "" && c.ids == 1 && c.form != withoutNumber &&
				unnumbered.MatchString(answer[0]):
				c.form = withoutNumber // it may have taken the number for the command
				return c.ask(ctx, line)
			case strings.TrimSpace(text) == "":
				return c.parse(line, answer)
			case len(answer) == maxAnswer:
				return "", fmt.Errorf("gtp: %s: the answer does not end", line)
			default:
				answer = append(answer, text)
			}
		case <-ctx.Done():
			return "", fmt.Errorf("gtp: %s: %w", line, context.Cause(ctx))
		case <-c.end:
			return "", ErrGone
		}
	}
}

// write writes a line. It returns early if the context ends before the engine reads.
func (c *Controller) write(ctx context.Context, line string) error {
	done := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.in, line)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.end:
		return ErrGone
	}
}

// parse removes the mark and the id of an answer, and checks them.
func (c *Controller) parse(command string, answer []string) (string, error) {
	mark, text := answer[0][0], answer[0][1:]
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 {
		if id, err := strconv.Atoi(text[:digits]); err != nil || id != c.ids {
			return "", fmt.Errorf("gtp: %s: the answer is for %s", command, text[:digits])
		}
	}
	answer[0] = text[digits:]
	text = strings.TrimSpace(strings.Join(answer, "\n"))
	if mark == '?' {
		return "", &Refusal{command, text}
	}
	return text, nil
}

func shorten(text string) string {
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}
