package dealer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// quick are limits that tests reach, in the fake time of synctest.
var quick = Limits{
	Start: time.Second, Response: 400 * time.Millisecond, Hand: time.Second, PerHand: 700 * time.Millisecond,
}

// slowly returns a peer whose turns take the given pause, and that sends the
// given line after every pause until the turn's number of lines is over.
func slowly(pause time.Duration, before ...string) peer {
	g := kuhn()
	return func(conn net.Conn) {
		io.WriteString(conn, "VERSION:2.0.0\n")
		onTurn(g, conn, func(state string) bool {
			for _, line := range append(slices.Clone(before), state+":c\n") {
				time.Sleep(pause)
				if _, err := io.WriteString(conn, line); err != nil {
					return false
				}
			}
			return true
		})
	}
}

// chattering returns a peer that sends nothing but the given line, every two
// milliseconds.
func chattering(line string) peer {
	return func(conn net.Conn) {
		io.WriteString(conn, "VERSION:2.0.0\n")
		go io.Copy(io.Discard, conn)
		for {
			if _, err := io.WriteString(conn, line); err != nil {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// TestTime has seat 0 use up its time in different ways. All clocks are exact
// in fake time.
func TestTime(t *testing.T) {
	const noAction = "ERROR: could not get action from seat 1\n0.4 seconds spent waiting; timeout 0.4\n"
	const tooLate = "ERROR: seat 1 ran out of time\n"
	garbage, comment := "hello\n", "# wait\n"
	tests := []struct {
		name   string
		hands  uint32
		limits func(*Limits)
		seat0  peer
		errors string // "" is a match played to its end
		played int    // hands in the log
	}{
		{"in time", 3, nil, slowly(200 * time.Millisecond), "", 3},
		{"too slow for a response", 3, nil, slowly(401 * time.Millisecond), noAction, 0},
		{"too slow for the match", 3, func(l *Limits) { l.PerHand = 200 * time.Millisecond },
			slowly(250 * time.Millisecond), tooLate, 2},
		{"no time", 1, func(l *Limits) { l.Response = 0 }, slowly(time.Millisecond),
			"ERROR: could not get action from seat 1\n0.0 seconds spent waiting; timeout 0.0\n", 0},
		// Every line is in time, but it is judged from when the seat was asked.
		{"garbage", 3, nil, slowly(150*time.Millisecond, garbage, garbage), badState + badState + tooLate, 0},
		{"comments", 3, nil, slowly(150*time.Millisecond, comment, comment), tooLate, 0},
		{"comments, then silence", 3, nil, slowly(300*time.Millisecond, comment, comment, comment), tooLate, 0},
		{"comments without end", 3, nil, chattering(comment), tooLate, 0},
		{"garbage without end", 3, func(l *Limits) { l.Response = 3 * time.Millisecond }, chattering(garbage),
			badState + badState + tooLate, 0},
		// Garbage is charged from when the seat was asked, each line again.
		{"too slow for a hand", 3, func(l *Limits) { l.Hand = 350 * time.Millisecond },
			slowly(130*time.Millisecond, garbage), badState + tooLate, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMatch(kuhn(), tt.hands)
				m.Limits = quick
				if tt.limits != nil {
					tt.limits(&m.Limits)
				}
				got := serve(t.Context(), m, tt.seat0, answering(m.Game))
				mustBe(t, "errors", got.errors, tt.errors)
				mustBe(t, "hands", len(betting(got.log)), tt.played)
				mustBe(t, "score", strings.Contains(got.log, "SCORE:"), tt.errors == "")
				if tt.errors == "" {
					if got.err != nil {
						t.Error(got.err)
					}
					return
				}
				var seat *SeatError
				if !errors.As(got.err, &seat) || seat.Seat != 0 || seat.Name != "Alice" ||
					seat.Hand != uint32(tt.played) {
					t.Errorf("error %v does not name seat, name and hand", got.err)
				}
				if !errors.Is(got.err, ErrOutOfTime) {
					t.Errorf("error %v is not ErrOutOfTime", got.err)
				}
			})
		})
	}
}

// TestPackets cuts one player's answers into single bytes, and joins the
// other's with lines that come before the dealer reads them.
func TestPackets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := leduc()
		trickle := func(conn net.Conn) {
			write := func(text string) bool {
				for i := range len(text) {
					time.Sleep(time.Millisecond)
					if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
						return false
					}
				}
				return true
			}
			write("VERSION:2.0.0\r\n")
			onTurn(g, conn, func(state string) bool { return write(state + ":c\r\n") })
		}
		joined := answering(g, "# a\r\n{}:r300\r\n# b\r\n", "; c\r\n{}:r600\r\n; d\r\n")
		got := serve(t.Context(), newMatch(g, 2), trickle, joined)
		if got.err != nil {
			t.Fatal(got.err)
		}
		mustBe(t, "warnings", got.errors, "")
		mustBe(t, "betting", fmt.Sprint(betting(got.log)), "[cr300c/cr600c cc/cc]")
	})
}

// TestVersions starts a match of one hand with different first lines of seat 1.
func TestVersions(t *testing.T) {
	const other = "ERROR: this server is currently using version 2.0.0\n"
	const invalid = "ERROR: invalid version string "
	tests := []struct {
		name, first, errors string
		played              bool
	}{
		{"ours", "VERSION:2.0.0\r\n", "", true},
		{"newline alone", "VERSION:2.0.0\n", "", true},
		{"trailing text", "VERSION:2.0.0 extra\r\n", "", true},
		{"later revision", "VERSION:2.0.99\r\n", "", true},
		{"older", "VERSION:1.0.0\r\n", other, true},
		{"newer minor", "VERSION:2.1.0\r\n", other, true},
		{"two numbers", "VERSION:2.0\r\n", invalid + "VERSION:2.0\r\n", false},
		{"lower case", "version:2.0.0\r\n", invalid + "version:2.0.0\r\n", false},
		{"empty", "\r\n", invalid + "\r\n", false},
		{"comment", "# c\r\nVERSION:2.0.0\r\n", invalid + "# c\r\n", false},
		{"silence", "", "ERROR: could not read version string from seat 2\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := kuhn()
				got := serve(t.Context(), newMatch(g, 1), answering(g), func(conn net.Conn) {
					io.WriteString(conn, tt.first)
					onTurn(g, conn, func(state string) bool {
						_, err := io.WriteString(conn, state+":c\n")
						return err == nil
					})
				})
				mustBe(t, "errors", got.errors, tt.errors)
				mustBe(t, "played", len(betting(got.log)) == 1, tt.played)
				mustBe(t, "success", got.err == nil, tt.played)
			})
		})
	}
}

// TestDeath cuts off seat 1 after any number of bytes that it was sent: the
// match ends with an error that names it, and earlier hands are in the log.
func TestDeath(t *testing.T) {
	g := kuhn()
	const hands = 3
	for after := range 1000 {
		finished := false
		synctest.Test(t, func(t *testing.T) {
			got := serve(t.Context(), newMatch(g, hands), answering(g), func(conn net.Conn) {
				answering(g)(&mortal{Conn: conn, left: after})
			})
			finished = got.err == nil
			if finished {
				return
			}
			var seat *SeatError
			if !errors.As(got.err, &seat) || seat.Seat != 1 {
				t.Fatalf("cut after %d bytes: error %v is not of seat 1", after, got.err)
			}
			// The seat may have missed only the end of the hand.
			if n := len(betting(got.log)); n != int(seat.Hand) && n != int(seat.Hand)+1 {
				t.Errorf("cut after %d bytes in hand %d: %d hands in the log", after, seat.Hand, n)
			}
			if !strings.HasPrefix(got.errors, "ERROR: could not ") || strings.Contains(got.log, "SCORE") {
				t.Errorf("cut after %d bytes: errors %q, log %q", after, got.errors, got.log)
			}
		})
		if finished {
			return
		}
	}
	t.Fatal("no number of bytes finishes the match")
}

// mortal is a connection that closes when left bytes have been received.
type mortal struct {
	net.Conn
	left int
}

func (c *mortal) Read(p []byte) (int, error) {
	if c.left == 0 {
		c.Close()
		return 0, io.EOF
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// TestDeafPlayer has a player that states its version and never reads.
func TestDeafPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := kuhn()
		got := serve(t.Context(), newMatch(g, 1), answering(g), func(conn net.Conn) {
			io.WriteString(conn, "VERSION:2.0.0\n")
			time.Sleep(time.Hour)
		})
		mustBe(t, "errors", got.errors, "ERROR: could not send state to seat 2\n")
	})
}

// TestCancel ends a match whose players wait for each other.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := kuhn()
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		got := serve(ctx, newMatch(g, 1), slowly(time.Hour), answering(g))
		if got.err != cause {
			t.Errorf("got error %v, want the cause", got.err)
		}
		mustBe(t, "errors", got.errors, "ERROR: enough\n")
	})
}

// A name that a log cannot be read with is a warning.
func TestNamesOfLog(t *testing.T) {
	for name, warned := range map[string]bool{"A B": false, "A:B": true, "A|B": true, "A\nB": true} {
		m := newMatch(kuhn(), 1)
		m.Names[1] = name
		got := serve(t.Context(), m, answering(m.Game), answering(m.Game)).errors
		mustBe(t, name, strings.HasPrefix(got, fmt.Sprintf("WARNING: the name %q has ", name)), warned)
	}
}

// TestLogFails has a full disk.
func TestLogFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		m := newMatch(kuhn(), 1)
		_, err := m.Serve(t.Context(), []net.Conn{ours, ours}, Record{Log: full{}})
		if !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("got error %v", err)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
