package client

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
)

// thinker raises after a time to think, which its context may cut short.
type thinker struct{ needs time.Duration }

func (p thinker) Act(ctx context.Context, m *acpc.MatchState) (acpc.Action, error) {
	select {
	case <-time.After(p.needs):
		return acpc.Action{Type: acpc.Raise}, nil
	case <-ctx.Done():
		return acpc.Action{}, ctx.Err()
	}
}

// stubborn calls after the given times to think, turn by turn, and nothing
// stops it.
func stubborn(needs ...time.Duration) acpc.Player {
	return bot(func(*acpc.MatchState) (acpc.Action, error) {
		pause := needs[0]
		needs = needs[1:]
		time.Sleep(pause)
		return acpc.Action{Type: acpc.Call}, nil
	})
}

// TestDecision gives a second for each of two turns: the first may be checked, and
// the second must be called or folded.
func TestDecision(t *testing.T) {
	const checked = "MATCHSTATE:0:0::Ks|\r\nMATCHSTATE:0:0:c:Ks|\r\nMATCHSTATE:0:0:cr:Ks|\r\nMATCHSTATE:0:0:crf:Ks|\r\n"
	const checkFold = "MATCHSTATE:0:0::Ks|:c\r\nMATCHSTATE:0:0:cr:Ks|:f\r\n"
	const checkCall = "MATCHSTATE:0:0::Ks|:c\r\nMATCHSTATE:0:0:cr:Ks|:c\r\n"
	const raised = "MATCHSTATE:0:0::Ks|\r\nMATCHSTATE:0:0:r:Ks|\r\nMATCHSTATE:0:0:rf:Ks|\r\n"
	tests := []struct {
		name   string
		player acpc.Player
		states string
		sent   string
		late   string
	}{
		{"in time", thinker{999 * time.Millisecond}, raised, "MATCHSTATE:0:0::Ks|:r\r\n", ""},
		{"in time without a context", stubborn(999*time.Millisecond, 0), checked, checkCall, ""},
		{"late", thinker{2 * time.Second}, checked, checkFold, "0 c;0 f;"},
		{"late and stubborn", stubborn(time.Minute), checked, checkFold, "0 c;0 f;"},
		{"busy for half of the second turn", stubborn(1500*time.Millisecond, 400*time.Millisecond), checked, checkCall,
			"0 c;"},
		{"busy, then late", stubborn(1500*time.Millisecond, 600*time.Millisecond), checked, checkFold, "0 c;0 f;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var late strings.Builder
				c := &Client{Game: kuhn(), Player: tt.player, Decision: time.Second,
					OnLate: func(hand uint32, played acpc.Action) { fmt.Fprintf(&late, "%d %v;", hand, played) }}
				sent, err := play(t.Context(), c, tt.states)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour) // until a stubborn player is done
				if sent != Version+tt.sent {
					t.Errorf("sent %q, want %q", sent, Version+tt.sent)
				}
				if late.String() != tt.late {
					t.Errorf("late %q, want %q", late.String(), tt.late)
				}
			})
		})
	}
}
