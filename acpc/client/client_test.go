package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/internal/testkit"
)

func kuhn() *acpc.Game {
	return &acpc.Game{
		Name: "kuhn", Betting: acpc.Limit, NumPlayers: 2, NumRounds: 1,
		Stack: [acpc.MaxPlayers]int32{2, 2}, Blind: [acpc.MaxPlayers]int32{1, 1},
		RaiseSize: [acpc.MaxRounds]int32{1}, MaxRaises: [acpc.MaxRounds]uint8{1},
		NumSuits: 1, NumRanks: 3, NumHoleCards: 1,
	}
}

// bot is a Player made of a function.
type bot func(m *acpc.MatchState) (acpc.Action, error)

func (b bot) Act(_ context.Context, m *acpc.MatchState) (acpc.Action, error) { return b(m) }

func call(*acpc.MatchState) (acpc.Action, error) { return acpc.Action{Type: acpc.Call}, nil }

// play lets a client play with a dealer that only sends the given pieces, one
// write each, and closes. It returns the client's messages.
func play(ctx context.Context, c *Client, pieces ...string) (sent string, err error) {
	return playWith(ctx, c, func(conn net.Conn) {
		for _, piece := range pieces {
			if _, err := io.WriteString(conn, piece); err != nil {
				return
			}
		}
	})
}

func playWith(ctx context.Context, c *Client, dealer func(net.Conn)) (sent string, err error) {
	ours, theirs := net.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		defer theirs.Close()
		dealer(theirs)
	})
	conn := deaf{Conn: ours, sent: &bytes.Buffer{}}
	err = c.Play(ctx, conn)
	wg.Wait()
	return conn.sent.String(), err
}

// deaf is the connection of a dealer that takes all bytes and heeds none, so
// that what it sends does not depend on the answers.
type deaf struct {
	net.Conn
	sent *bytes.Buffer
}

func (c deaf) Write(p []byte) (int, error) { return c.sent.Write(p) }

// hand0 is a hand of Kuhn poker as position 0 sees it, who checks and
// calls; then hand 1, which is won by the other's fold.
const (
	hand0 = "MATCHSTATE:0:0::Ks|\r\nMATCHSTATE:0:0:c:Ks|\r\nMATCHSTATE:0:0:cr:Ks|\r\nMATCHSTATE:0:0:crc:Ks|As\r\n"
	hand1 = "MATCHSTATE:1:1::|Qs\r\nMATCHSTATE:1:1:r:|Qs\r\nMATCHSTATE:1:1:rc:As|Qs\r\n"
	reply = "VERSION:2.0.0\r\nMATCHSTATE:0:0::Ks|:c\r\nMATCHSTATE:0:0:cr:Ks|:c\r\nMATCHSTATE:1:1:r:|Qs:c\r\n"
)

// TestPackets sends the same hands in differently cut packets.
func TestPackets(t *testing.T) {
	all := "# a comment\r\n" + hand0 + "; another\n" + strings.ReplaceAll(hand1, "\r\n", "\n")
	for name, pieces := range map[string][]string{
		"joined": {all},
		"lines":  strings.SplitAfter(all, "\n"),
		"bytes":  strings.Split(all, ""),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var results []string
				c := &Client{Game: kuhn(), Player: bot(call), OnResult: func(hand uint32, position int, value float64) {
					results = append(results, fmt.Sprint(hand, position, value))
				}}
				sent, err := play(t.Context(), c, pieces...)
				if err != nil {
					t.Fatal(err)
				}
				if sent != reply {
					t.Errorf("sent %q, want %q", sent, reply)
				}
				if got, want := fmt.Sprint(results), "[0 0 -2 1 1 -2]"; got != want {
					t.Errorf("results %s, want %s", got, want)
				}
			})
		})
	}
}

// TestBadDealers checks that errors name the problem and its line.
func TestBadDealers(t *testing.T) {
	tests := []struct {
		name, bytes string
		want        error  // if not nil
		text        string // part of the error's text
	}{
		{"no hands", "", ErrNoHands, "before the first hand"},
		{"comments only", "# hello\r\n", ErrNoHands, "before the first hand"},
		{"closes in a hand", hand0 + "MATCHSTATE:1:1::|Qs\r\n", io.ErrUnexpectedEOF,
			"hand 1: dealer closed in the middle of the hand"},
		{"closes in a line", hand0 + "MATCHSTATE:1:1", io.ErrUnexpectedEOF,
			"hand 0: dealer closed in the middle of a line"},
		{"oversize line", hand0 + strings.Repeat("x", 5000) + "\n", ErrLineTooLong,
			"hand 0: line of more than 4095 bytes"},
		{"nonsense", hand0 + "hello\r\n", nil, `hand 0: line "hello": match state, byte 1`},
		{"nonsense at once", "HTTP/1.1 400 Bad Request\r\n", nil, `before the first hand: line "HTTP`},
		{"empty line", hand0 + "\r\n", nil, `hand 0: line ""`},
		{"another game's hand", "MATCHSTATE:0:0:rrr:Ks|\r\n", nil, "raise"},
		{"something behind the state", "MATCHSTATE:0:0::Ks|:c\r\n", nil,
			"line \"MATCHSTATE:0:0::Ks|:c\": is not the state"},
		{"a showdown without the other hand", "MATCHSTATE:0:0:cc:Ks|\r\n", nil, "is not the state"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := play(t.Context(), &Client{Game: kuhn(), Player: bot(call)}, tt.bytes)
				if err == nil {
					t.Fatal("no error")
				}
				if tt.want != nil && !errors.Is(err, tt.want) {
					t.Errorf("error %q is not %q", err, tt.want)
				}
				if !strings.Contains(err.Error(), tt.text) {
					t.Errorf("error %q does not contain %q", err, tt.text)
				}
			})
		})
	}
}

// TestHints has a player at the table of another game, and at none.
func TestHints(t *testing.T) {
	for line, want := range map[string]string{
		"MATCHSTATE:0:0:rr:4c3d|\r\n":  "is the dealer playing kuhn?",
		"MATCHSTATE:0:0::Ks|:c\r\n":    "is the dealer playing kuhn?",
		"HTTP/1.1 400 Bad Request\r\n": "is this the port of a poker dealer?",
	} {
		_, err := play(t.Context(), &Client{Game: kuhn(), Player: bot(call)}, line)
		var bad *LineError
		if !errors.As(err, &bad) || bad.Hint() != want {
			t.Errorf("%q: error %v, want the hint %q", line, err, want)
		}
	}
}

// TestDeath cuts a match at every byte: only between hands is it an end.
func TestDeath(t *testing.T) {
	all := hand0 + hand1
	for cut := range len(all) {
		synctest.Test(t, func(t *testing.T) {
			_, err := play(t.Context(), &Client{Game: kuhn(), Player: bot(call)}, all[:cut])
			if (err == nil) != (cut == len(hand0)) {
				t.Errorf("cut after %q: error %v", all[:cut], err)
			}
		})
	}
}

func TestSilentDealer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Client{Game: kuhn(), Player: bot(call), Idle: time.Minute}
		_, err := playWith(t.Context(), c, func(conn net.Conn) {
			time.Sleep(50 * time.Second)
			io.WriteString(conn, hand0)
			time.Sleep(50 * time.Second) // each silence counts alone
			io.WriteString(conn, hand1)
			time.Sleep(time.Hour)
		})
		if !errors.Is(err, os.ErrDeadlineExceeded) || !strings.Contains(err.Error(), "hand 1: dealer silent for 1m0s") {
			t.Errorf("error %v", err)
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		_, err := playWith(ctx, &Client{Game: kuhn(), Player: bot(call)}, func(conn net.Conn) {
			io.WriteString(conn, hand0)
			time.Sleep(time.Minute)
		})
		if err != cause {
			t.Errorf("error %v, want the cause", err)
		}
	})
}

// TestBadPlayer has a player that fails or breaks the rules: nothing is sent.
func TestBadPlayer(t *testing.T) {
	oops := errors.New("oops")
	for name, tt := range map[string]struct {
		player bot
		text   string
	}{
		"fails": {func(*acpc.MatchState) (acpc.Action, error) { return acpc.Action{}, oops },
			"hand 0: player: oops"},
		"folds early": {func(*acpc.MatchState) (acpc.Action, error) { return acpc.Action{}, nil },
			"hand 0: player's action is illegal"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent, err := play(t.Context(), &Client{Game: kuhn(), Player: tt.player}, hand0)
				if err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("error %v does not contain %q", err, tt.text)
				}
				if sent != Version {
					t.Errorf("sent %q", sent)
				}
			})
		})
	}
}

// TestReferenceWire sends the recorded bytes of the dealer to a client whose
// player acts as recorded: the client must send the recorded bytes, but that
// our version line ends as the protocol's document wants it.
func TestReferenceWire(t *testing.T) {
	for _, file := range testkit.ReferenceFiles(t, "acpc/wire/*/seat*.c2s.bin") {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir)+"/"+strings.TrimSuffix(filepath.Base(file), ".c2s.bin"), func(t *testing.T) {
			want, received := read(t, file), read(t, strings.Replace(file, "c2s", "s2c", 1))
			gameFile := testkit.ReferenceFiles(t, "acpc/wire/"+filepath.Base(dir)+"/*.game")[0]
			g, err := acpc.ParseGame(gameFile, read(t, gameFile))
			if err != nil {
				t.Fatal(err)
			}
			_, replies, _ := strings.Cut(want, "\n")
			c := &Client{
				Game: g, Player: recorded(g, replies),
				OnRecorded: func(hand uint32, sent, recorded acpc.Action) {
					if sent != recorded {
						t.Errorf("hand %d: sent %v, recorded %v", hand, sent, recorded)
					}
				},
				OnFault: func(hand uint32, err error) { t.Errorf("hand %d: %v", hand, err) },
			}
			sent, err := play(t.Context(), c, received)
			if err != nil {
				t.Fatal(err)
			}
			if sent != Version+replies {
				t.Errorf("sent other bytes than recorded:\n%.2000s\nwant:\n%.2000s", sent, Version+replies)
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// recorded returns a player that acts as in the recorded replies, each behind
// the last colon of its line.
func recorded(g *acpc.Game, replies string) acpc.Player {
	return bot(func(*acpc.MatchState) (acpc.Action, error) {
		var line string
		line, replies, _ = strings.Cut(replies, "\r\n")
		a, _, err := g.ParseAction(line[strings.LastIndexByte(line, ':')+1:])
		return a, err
	})
}
