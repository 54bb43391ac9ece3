package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"gamebots/acpc/history"
	"gamebots/hexproto/wire"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpClient is a client of gamebots mcp.
type mcpClient struct {
	*testing.T
	session *sdk.ClientSession
}

// mcpState is what the tests read of a state.
type mcpState struct {
	Game     string
	You      int
	Legal    []string
	Result   *wire.Result
	Hand     *history.JSONHand
	LastHand *history.JSONHand `json:"last_hand"`
}

// startMCP runs the command for a client, with the strategies that come with the program.
func startMCP(t *testing.T) *mcpClient {
	t.Chdir("../..")
	ours, theirs := sdk.NewInMemoryTransports()
	cmd := newMCP()
	cmd.SetErr(io.Discard)
	ctx, cancel := context.WithCancel(context.Background()) // longer than the test's
	cmd.SetContext(ctx)
	ended := make(chan error, 1)
	go func() { ended <- serveMCP(cmd, theirs) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		cancel()
	})
	return &mcpClient{t, session}
}

// call calls a tool and decodes its answer. It returns the text of an error.
func (c *mcpClient) call(tool string, arguments, into any) (refused string) {
	c.Helper()
	r, err := c.session.CallTool(c.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "protocol: " + err.Error()
	}
	text := r.Content[0].(*sdk.TextContent).Text
	if r.IsError {
		return text
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			c.Fatalf("%s: %v: %s", tool, err, text)
		}
	}
	return ""
}

// must calls a tool that answers.
func (c *mcpClient) must(tool string, arguments, into any) {
	c.Helper()
	if refused := c.call(tool, arguments, into); refused != "" {
		c.Fatalf("%s %v: %s", tool, arguments, refused)
	}
}

// refuses calls a tool that refuses with a text.
func (c *mcpClient) refuses(tool string, arguments any, want string) {
	c.Helper()
	if refused := c.call(tool, arguments, nil); !strings.Contains(refused, want) || refused == "" {
		c.Errorf("%s %v: %q, want %q", tool, arguments, refused, want)
	}
}

type args = map[string]any

// moves plays a game until it is over, or until each says that it is enough.
func (c *mcpClient) moves(s *mcpState, choose func(s *mcpState) string, each func()) {
	c.Helper()
	for s.Result == nil {
		if len(s.Legal) == 0 {
			c.Fatalf("nothing to move in %+v", s)
		}
		game, move := s.Game, choose(s)
		*s = mcpState{}
		c.must("play", args{"game": game, "move": move}, s)
		each()
	}
}

// A game of Havannah is rated once it is over, and no other one is running, in which it could be set up.
func TestMCPHavannah(t *testing.T) {
	c := startMCP(t)
	var s, other mcpState
	c.must("new_game", args{"rules": "havannah", "bot": "random", "options": args{"side": 4}}, &s)
	game := s.Game
	middle := func(s *mcpState) string { return s.Legal[len(s.Legal)/2] }
	c.moves(&s, middle, func() {
		if s.Result == nil {
			c.refuses("rate", args{"game": game, "turn": 0}, "is running")
		}
	})
	c.must("new_game", args{"rules": "havannah", "bot": "random", "options": args{"side": 4}}, &other)
	c.refuses("rate", args{"game": game, "turn": 2}, "is running")
	c.must("resign", args{"game": other.Game}, nil)
	var rated wire.Analysis
	c.must("rate", args{"game": game, "turn": 2, "by": "playouts"}, &rated)
	if len(rated.Moves) == 0 {
		t.Error("no rated moves")
	}
	c.refuses("rate", args{"game": game, "turn": 2, "line": []string{"z99"}}, "illegal")
	c.refuses("judge", args{"game": game, "hand": 0}, "no poker")
	c.refuses("solve", args{"game": game, "hand": 0, "action": 0}, "no poker")
}

// A match of fifty hands shows no cards that the player may not see. Hands are judged once they are over, and a turn
// is solved.
func TestMCPPoker(t *testing.T) {
	c := startMCP(t)
	var s mcpState
	c.must("new_game", args{"rules": "holdem-nolimit-2p", "bot": "caller", "options": args{"hands": 50}}, &s)
	game, over, seen := s.Game, uint32(0), 0
	hidden := func(h *history.JSONHand, shown bool) {
		if h == nil {
			return
		}
		other := (1 - s.You + int(h.Hand)) % 2 // the button moves
		if h.Holes[1-other] == "" {
			t.Errorf("hand %d does not show your cards: %v", h.Hand, h.Holes)
		}
		if h.Holes[other] != "" && !(shown && h.Showdown) {
			t.Errorf("hand %d shows %v", h.Hand, h.Holes)
		} else if h.Holes[other] != "" {
			seen++
		}
	}
	check := func() {
		hidden(s.Hand, s.Result != nil)
		hidden(s.LastHand, true)
		if s.Hand.Hand > over && s.Result == nil {
			over = s.Hand.Hand
			c.refuses("judge", args{"game": game, "hand": over}, "is not over")
			c.refuses("solve", args{"game": game, "hand": over, "action": 0}, "is not over")
		}
	}
	check()
	c.moves(&s, func(s *mcpState) string {
		switch n := s.Hand.Hand % 4; {
		case n == 0: // to the river
			return "c"
		case n == 1 && s.Legal[0] == "f":
			return "f"
		}
		return s.Legal[len(s.Legal)-1] // all-in, for a short test
	}, check)
	if over != 49 || seen < 20 {
		t.Fatalf("%d hands are over, %d hands shown", over+1, seen)
	}
	var judged struct {
		By   string
		Hand struct {
			Decisions []struct {
				Action, Round int
				Advised       []any
			}
		}
	}
	c.must("judge", args{"game": game, "hand": 0}, &judged)
	if judged.By != "cfr" || len(judged.Hand.Decisions) == 0 || judged.Hand.Decisions[0].Advised == nil {
		t.Errorf("judged %+v", judged)
	}
	c.refuses("judge", args{"game": game, "hand": 50}, "is not over")
	c.refuses("solve", args{"game": game, "hand": 0, "action": 0}, "turns and rivers")
	solves := 0
	for hand := 0; hand < 50 && solves == 0; hand++ { // until the strategy comes to a river with your hand
		c.must("judge", args{"game": game, "hand": hand}, &judged)
		for _, d := range judged.Hand.Decisions {
			if d.Round < 3 {
				continue
			}
			var spot struct {
				Board, Hand string
				Actions     []struct{ Share *float64 }
			}
			c.must("solve", args{"game": game, "hand": hand, "action": d.Action}, &spot)
			if len(spot.Board) != 10 || spot.Hand == "" {
				t.Errorf("solved %+v", spot)
			}
			if spot.Actions[0].Share != nil {
				solves++
			}
		}
	}
	var card struct{ Hands, Decisions int }
	if c.must("report_card", args{"game": game}, &card); solves == 0 || card.Hands != 50 || card.Decisions < 50 {
		t.Errorf("%d spots, report card %+v", solves, card)
	}
}

// A hundred calls that make no sense, or ask for too much, are refused in words, and the session goes on.
func TestMCPHostile(t *testing.T) {
	c := startMCP(t)
	var s mcpState
	c.must("new_game", args{"rules": "kuhn", "bot": "cfr"}, &s)
	long := strings.Repeat("x", 100_000)
	names := []any{
		"", "g", "../players/agent", s.Game + ".json", s.Game + "?x", "'; DROP TABLE games; --", "\x00\u202e",
		long[:8000], long, -1, nil, []string{s.Game}, args{"game": s.Game}, 1e300,
	}
	calls := 0
	hostile := func(tool string, arguments any) {
		t.Helper()
		refused := c.call(tool, arguments, nil)
		switch {
		case refused == "":
			t.Errorf("%s takes %.200v", tool, arguments)
		case strings.Contains(refused, "panic"), strings.Contains(refused, wire.Internal), len(refused) > 20_000:
			t.Errorf("%s %.200v: %.300s", tool, arguments, refused)
		}
		calls++
	}
	for _, name := range names {
		for _, tool := range []string{"state", "resign", "report_card"} {
			hostile(tool, args{"game": name})
		}
		hostile("play", args{"game": name, "move": "c"})
		hostile("rate", args{"game": name, "turn": 0})
		hostile("judge", args{"game": name, "hand": 0})
		hostile("solve", args{"game": name, "hand": 0, "action": 0})
		hostile("new_game", args{"rules": name, "bot": "cfr"})
		hostile("new_game", args{"rules": "kuhn", "bot": name})
		hostile("play", args{"game": s.Game, "move": name})
		if name != nil {
			hostile("new_game", args{"rules": "kuhn", "bot": "cfr", "options": args{"hands": name}})
		}
	}
	for _, number := range []any{-1, 1 << 40, 1.5, "0", true} {
		hostile("judge", args{"game": s.Game, "hand": number})
		hostile("solve", args{"game": s.Game, "hand": number, "action": 0})
		hostile("solve", args{"game": s.Game, "hand": 0, "action": number})
		hostile("rate", args{"game": s.Game, "turn": number})
		hostile("new_game", args{"rules": "havannah", "bot": "random", "options": args{"side": number}})
	}
	hostile("new_game", args{"rules": "kuhn", "bot": "agent"})
	hostile("no_such_tool", args{})
	hostile("state", nil)
	hostile("rate", args{"game": s.Game, "turn": 0, "line": make([]string, 1000)})
	var other mcpState
	c.must("new_game", args{"rules": "leduc-3p", "bot": "caller"}, &other)
	c.must("resign", args{"game": other.Game}, nil)
	hostile("report_card", args{"game": other.Game})
	c.refuses("judge", args{"game": other.Game, "hand": 0}, "no strategy for this game")
	kept := args{"hands": 2, "buy_in": 50} // the bot may fold the first one at once
	c.must("new_game", args{"rules": "holdem-nolimit-2p", "bot": "cfr", "options": kept}, &other)
	c.must("resign", args{"game": other.Game}, nil)
	c.refuses("report_card", args{"game": other.Game}, "full stacks")
	c.refuses("solve", args{"game": other.Game, "hand": 0, "action": 0}, "full stacks")
	for i := range 8 { // four games at a time
		if refused := c.call("new_game", args{"rules": "kuhn", "bot": "cfr"}, nil); (i >= 3) != (refused != "") {
			t.Errorf("game %d beside another one: %q", i+1, refused)
		}
	}
	if calls < 100 {
		t.Errorf("%d calls", calls)
	}
	c.must("state", args{"game": s.Game}, &s)
	c.moves(&s, func(s *mcpState) string { return s.Legal[0] }, func() {})
}
