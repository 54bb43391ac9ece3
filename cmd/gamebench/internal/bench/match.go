package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/socket"
	"gamebots/cmd/internal/cli"
)

// The match between processes: a dealer and two random players.
const (
	matchGame  = "holdem-limit-2p"
	matchHands = 3000
	matchSeed  = 7
)

// originalEnv is the environment variable with the folder of the original's dealer,
// example_player and game definitions, if they are to be measured.
const originalEnv = "GAMEBOTS_ORIGINAL"

// matchSetup is a way to play the match. play returns the number of actions and their time,
// from the moment in which the players can connect.
type matchSetup struct {
	name string
	play func(ctx context.Context) (actions int, took time.Duration, err error)
}

// benchMatches measures the match between processes, an echo of its messages, and the
// original with its own players if it is there. They take turns, so that a disturbance of
// the machine affects all.
func benchMatches(ctx context.Context, emit func(Row)) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	program, err := cli.Beside(product)
	if err != nil {
		return err
	}
	setups := []matchSetup{
		{"3 processes", func(ctx context.Context) (int, time.Duration, error) {
			return playMatch(ctx, []string{program, "dealer"}, matchGame, func(port string, seat int) []string {
				return []string{program, "play", "acpc", "127.0.0.1", port, "--bot", "random", "--game", matchGame,
					"--seed", fmt.Sprint(seat), "--log-level", "error", "--set", "match.decision_timeout=0s"}
			})
		}},
		{"3 processes, bare echo", func(ctx context.Context) (int, time.Duration, error) {
			return echoMatch(ctx, self)
		}},
	}
	if folder := os.Getenv(originalEnv); folder != "" {
		game := filepath.Join(folder, "holdem.limit.2p.reverse_blinds.game")
		setups = append(setups,
			matchSetup{"3 processes, the original", func(ctx context.Context) (int, time.Duration, error) {
				return playMatch(ctx, []string{filepath.Join(folder, "dealer")}, game,
					func(port string, _ int) []string {
						return []string{filepath.Join(folder, "example_player"), game, "127.0.0.1", port}
					})
			}})
	}
	speeds := make([][]float64, len(setups))
	for range benchRuns {
		for i, c := range setups {
			actions, took, err := c.play(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			speeds[i] = append(speeds[i], float64(actions)/took.Seconds())
		}
	}
	for i, c := range setups {
		speed, repeated := median(speeds[i])
		emit(Row{Case: c.name, Threads: 3, Metric: "speed", Value: speed, Unit: "actions/s", Repeated: repeated})
	}
	return nil
}

// playMatch plays the match with a dealer and players, by their command lines.
func playMatch(
	ctx context.Context, dealerCommand []string, game string, player func(port string, seat int) []string,
) (actions int, took time.Duration, err error) {
	folder, err := os.MkdirTemp("", "gamebots-bench")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // kills the processes that are left
	name := filepath.Join(folder, "match")
	args := append(dealerCommand[1:], name, game, fmt.Sprint(matchHands), fmt.Sprint(matchSeed), "A", "B", "-q")
	table := exec.CommandContext(ctx, dealerCommand[0], args...)
	stdout, err := table.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := table.Start(); err != nil {
		return 0, 0, err
	}
	lines := bufio.NewReader(stdout)
	ports, err := lines.ReadString('\n')
	if err != nil {
		return 0, 0, errors.Join(fmt.Errorf("no ports: %w", err), table.Wait())
	}
	start := time.Now()
	var players []*exec.Cmd
	for seat, port := range strings.Fields(ports) {
		command := player(port, seat)
		p := exec.CommandContext(ctx, command[0], command[1:]...)
		if err := p.Start(); err != nil {
			return 0, 0, err
		}
		players = append(players, p)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		return 0, 0, err
	}
	err = table.Wait()
	took = time.Since(start)
	for _, p := range players {
		err = errors.Join(err, p.Wait())
	}
	if err != nil {
		return 0, 0, err
	}
	actions, err = countActions(name + ".log")
	return actions, took, err
}

// countActions counts the actions in a limit game's log.
func countActions(log string) (n int, err error) {
	text, err := os.ReadFile(log)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(line, ":"); fields[0] == "STATE" {
			n += len(fields[2]) - strings.Count(fields[2], "/")
		}
	}
	return n, err
}

// echoMatch sends the messages of the match to two processes; the one of the player to act
// sends each back.
func echoMatch(ctx context.Context, self string) (actions int, took time.Duration, err error) {
	messages, err := matchMessages()
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lobby, err := dealer.Listen("127.0.0.1", 0, 0)
	if err != nil {
		return 0, 0, err
	}
	for _, addr := range lobby.Addrs() {
		peer := exec.CommandContext(ctx, self, "echo", addr)
		if err := peer.Start(); err != nil {
			return 0, 0, err
		}
		defer func() { _ = peer.Wait() }() // after the connections are closed
	}
	conns, err := lobby.Accept(ctx, time.Minute)
	if err != nil {
		return 0, 0, err
	}
	var readers []*bufio.Reader
	for i, conn := range conns {
		defer conn.Close()
		conns[i] = socket.Eager(conn)
		readers = append(readers, bufio.NewReader(conns[i]))
	}
	start := time.Now()
	for _, m := range messages {
		for seat, conn := range conns {
			m.text[0] = echoDrop
			if seat == m.seat {
				m.text[0] = echoBack
			}
			if _, err := conn.Write(m.text); err != nil {
				return 0, 0, err
			}
		}
		if m.seat >= 0 {
			actions++
			if _, err := readers[m.seat].ReadSlice('\n'); err != nil {
				return 0, 0, err
			}
		}
	}
	return actions, time.Since(start), nil
}

// message is a line that is sent to all seats, and the seat that sends it back, or -1.
type message struct {
	text []byte
	seat int
}

// matchMessages plays the match in process and returns its messages.
func matchMessages() (all []message, err error) {
	m, players, err := inProcess(matchGame, "random", matchHands)
	if err != nil {
		return nil, err
	}
	for seat, p := range players {
		players[seat] = playerFunc(func(s *acpc.MatchState) (acpc.Action, error) {
			all = append(all, message{append(s.Append(nil), "\r\n"...), seat})
			return p.Act(s)
		})
	}
	_, err = m.Play(players, func(s *acpc.State) error {
		view := s.View(0)
		all = append(all, message{append(view.Append(nil), "\r\n"...), -1})
		return nil
	})
	return all, err
}

// playerFunc is an acpc.Player.
type playerFunc func(*acpc.MatchState) (acpc.Action, error)

func (f playerFunc) Act(s *acpc.MatchState) (acpc.Action, error) { return f(s) }

// The first byte of a message is the command to the echo.
const (
	echoBack = '>'
	echoDrop = '.'
)

// Echo connects to an address and sends back the lines that ask for it, until the
// connection ends. In bench dealer it stands for a player that decides in no time.
func Echo(addr string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	conn = socket.Eager(conn)
	defer conn.Close()
	for lines := bufio.NewReader(conn); ; {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return nil
		}
		if err == nil && line[0] == echoBack {
			_, err = conn.Write(line)
		}
		if err != nil {
			return err
		}
	}
}
