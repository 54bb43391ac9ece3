package client

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/configs"
)

// Faults of a dealer do not end the match, and one of each hand is reported.
func TestFaults(t *testing.T) {
	limit, err := configs.Game("holdem-limit-2p")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", []string{"MATCHSTATE:1:0::|4cKs", "MATCHSTATE:1:0:c:|4cKs", "MATCHSTATE:1:0:cc/:|4cKs/2h3h9d",
			"MATCHSTATE:1:0:cc/rf:|4cKs/2h3h9d", "MATCHSTATE:0:1:f:4cKs|"}, ""},
		{"own cards", []string{"MATCHSTATE:1:0:c:|4cKs", "MATCHSTATE:1:0:cc/:|4cQs/2h3h9d",
			"MATCHSTATE:1:0:cc/rf:|4cKs/2h3h9d"}, "0: the hole cards Ks4c became Qs4c"},
		{"board", []string{"MATCHSTATE:1:0:cc/:|4cKs/2h3h9d", "MATCHSTATE:1:0:cc/rf:|4cKs/2h3h9c"},
			"0: the board 9d3h2h became 9c3h2h"},
		{"betting", []string{"MATCHSTATE:1:0:r:|4cKs", "MATCHSTATE:1:0:crf:|4cKs"},
			`0: the betting "r" became "crf"`},
		{"position", []string{"MATCHSTATE:1:0:r:|4cKs", "MATCHSTATE:0:0:rf:4cKs|"},
			"0: the position changed from 2 to 1"},
		{"own card on the board", []string{"MATCHSTATE:1:0:cc/:|4cKs/Ks3h9d", "MATCHSTATE:1:0:cc/rf:|4cKs/Ks3h9d"},
			"0: Ks is dealt twice"},
		{"a card of both", []string{"MATCHSTATE:1:0:cc/cc/cc/cc:4cAs|4cKs/2h3h9d/Ts/Js"}, "0: 4c is dealt twice"},
		{"unfinished", []string{"MATCHSTATE:1:0:c:|4cKs", "MATCHSTATE:0:5:f:4cKs|"}, "5: hand 0 was not finished"},
		{"left out", []string{"MATCHSTATE:1:0:rf:|4cKs", "MATCHSTATE:0:5:f:4cKs|"}, "5: the hand before was 0"},
		{"resumed", []string{"MATCHSTATE:0:5:f:4cKs|", "MATCHSTATE:1:6:f:|4cKs"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []string
				c := &Client{Game: limit, Player: bot(call), OnFault: func(hand uint32, err error) {
					got = append(got, fmt.Sprintf("%d: %v", hand, err))
				}}
				if _, err := play(t.Context(), c, strings.Join(test.lines, "\r\n")+"\r\n"); err != nil {
					t.Fatal(err)
				}
				if strings.Join(got, "; ") != test.want {
					t.Errorf("faults %q, want %q", got, test.want)
				}
			})
		})
	}
}

// An action that the dealer records in another way is reported with both. One that it loses with the
// rest of its hand is not compared with those of the next.
func TestRecorded(t *testing.T) {
	g, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var got, faults []string
		c := &Client{
			Game: g,
			Player: bot(func(*acpc.MatchState) (acpc.Action, error) {
				return acpc.Action{Type: acpc.Raise, Size: 300}, nil
			}),
			OnRecorded: func(hand uint32, sent, recorded acpc.Action) {
				got = append(got, fmt.Sprintf("%d: %v %v", hand, sent, recorded))
			},
			OnFault: func(hand uint32, err error) { faults = append(faults, fmt.Sprintf("%d: %v", hand, err)) },
		}
		_, err := play(t.Context(), c, "MATCHSTATE:0:0::Ks|\r\nMATCHSTATE:0:0:c:Ks|\r\nMATCHSTATE:0:0:cr300f:Ks|\r\n"+
			"MATCHSTATE:1:1:c:|Ks\r\nMATCHSTATE:1:1:cr300:|Ks\r\nMATCHSTATE:1:1:cr300f:|Ks\r\n"+
			"MATCHSTATE:0:2::Ks|\r\nMATCHSTATE:0:2:r400f:Ks|\r\n"+
			"MATCHSTATE:0:3::Ks|\r\nMATCHSTATE:1:4::|Ks\r\nMATCHSTATE:1:4:c:|Ks\r\nMATCHSTATE:1:4:cr300f:|Ks\r\n")
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"0: r300 c", "1: r300 r300", "2: r300 r400", "4: r300 r300"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if want := []string{"4: hand 3 was not finished"}; !slices.Equal(faults, want) {
			t.Errorf("faults %q, want %q", faults, want)
		}
	})
}

// A client that waits long for its first hand says so once, and only then.
func TestNoHand(t *testing.T) {
	for _, test := range []struct {
		pause time.Duration
		want  int
	}{{NoHandYet - time.Second, 0}, {NoHandYet + time.Second, 1}} {
		synctest.Test(t, func(t *testing.T) {
			said := 0
			c := &Client{Game: kuhn(), Player: bot(call), OnNoHand: func() { said++ }}
			_, err := playWith(t.Context(), c, func(conn net.Conn) {
				time.Sleep(test.pause)
				conn.Write([]byte(hand0))
				time.Sleep(time.Minute)
			})
			if err != nil || said != test.want {
				t.Errorf("after %v: said %d times, want %d; error %v", test.pause, said, test.want, err)
			}
		})
	}
}

// A host that does not exist is not waited for.
func TestNoSuchHost(t *testing.T) {
	err := fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", IsNotFound: true}})
	if !NoSuchHost(err) {
		t.Errorf("%v is worth waiting", err)
	}
	for _, err := range []error{nil, context.Canceled, &net.DNSError{Err: "server misbehaving", IsTemporary: true}} {
		if NoSuchHost(err) {
			t.Errorf("%v is not worth waiting", err)
		}
	}
}
