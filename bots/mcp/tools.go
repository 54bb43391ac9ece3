package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamebots/bots/poker/table"
	"gamebots/hexproto/wire"
	"gamebots/internal/parallel"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const instructions = `Games against the bots of gamebots: Havannah, Nim, matrix games and poker. list_games names the
rules, their options and bots; new_game begins a game, and play moves in it until it is over. Afterwards rate rates the
moves of a board game, judge the decisions in a hand of poker, solve a turn or river of one, and report_card a match.
Nothing is rated before it is over. Do not use them in games with others who do not know that a program helps you.`

// maxArguments is how many bytes the arguments of a call may have.
const maxArguments = 8 << 10

// server returns the server of the tools.
func (p *Player) server() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "gamebots", Version: p.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	add(s, "list_games", "List the games, with their options and the bots that play them.", p.list)
	add(s, "new_game", "Begin a game against a bot, and wait for your turn.", p.begin)
	add(s, "state", "Show a game as you see it, with your legal moves, and wait for your turn.", p.show)
	add(s, "play", "Make a move, one of the legal ones, and wait for your next turn.", p.play)
	add(s, "resign", "Resign a game, which ends it.", p.resign)
	add(s, "rate", "Rate the moves of a position of a finished board game, best first: 0 is lost, 1 won.", p.rate)
	add(s, "judge", "Compare your decisions in a finished hand of poker with a strategy of the server.", p.judge)
	add(s, "solve", "Solve the turn or river of a finished hand of no-limit hold'em for two, from the ranges of the "+
		"server's strategy. Where it does not come there with your hand, share and value are missing.", p.solve)
	add(s, "report_card", "Sum up a match of poker: what you won, an estimate without luck, and your worst decisions.",
		p.card)
	return s
}

// add adds a tool. Its answer is JSON; an error is told to the model.
func add[In any](s *sdk.Server, name, about string, do func(ctx context.Context, in In) (any, error)) {
	sdk.AddTool(s, &sdk.Tool{Name: name, Description: about},
		func(ctx context.Context, r *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
			if len(r.Params.Arguments) > maxArguments {
				return nil, nil, fmt.Errorf("the arguments of a call have at most %d bytes", maxArguments)
			}
			out, err := do(ctx, in)
			return nil, out, err
		})
}

// gameOf names a game.
type gameOf struct {
	Game string `json:"game" jsonschema:"id of the game, as new_game has returned it"`
}

func (p *Player) list(context.Context, struct{}) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return map[string]any{"games": p.rules}, nil
}

// beginning says which game begins.
type beginning struct {
	Rules   string         `json:"rules" jsonschema:"name of the rules, as list_games has it"`
	Bot     string         `json:"bot" jsonschema:"bot that takes all other seats"`
	Options map[string]any `json:"options,omitempty" jsonschema:"options by name; others have their defaults"`
	Seat    string         `json:"seat,omitempty" jsonschema:"first or second; else it is drawn"`
}

func (p *Player) begin(ctx context.Context, in beginning) (any, error) {
	if in.Bot == "" { // the challenge would wait for other players
		return nil, errors.New("bot is empty: list_games names those of the rules")
	}
	options, err := json.Marshal(in.Options)
	if err != nil {
		return nil, err
	}
	answer, err := p.client.Call(ctx, &wire.Challenge{Rules: in.Rules, Options: options, To: in.Bot, Seat: in.Seat})
	if err != nil {
		return nil, err
	}
	return p.show(ctx, gameOf{answer.(*wire.Ack).Game}) // a bot accepts at once
}

// state is a game as the account sees it.
type state struct {
	Game    string          `json:"game"`
	Rules   string          `json:"rules"`
	Options json.RawMessage `json:"options"`
	Players []string        `json:"players"` // their names by seat
	You     int             `json:"you"`     // seat
	Turn    int             `json:"turn"`
	ToMove  []int           `json:"to_move"` // seats
	Legal   []string        `json:"legal,omitempty"`
	Text    string          `json:"text"`
	Moves   []string        `json:"moves,omitempty"` // those of a board game
	Result  *wire.Result    `json:"result,omitempty"`
	// Of poker: Hand is the one that is played, LastHand the one before it, each a history.JSONHand.
	Names    []string        `json:"names,omitempty"` // the legal moves'
	Call     int             `json:"call,omitempty"`
	RaiseTo  []int           `json:"raise_to,omitempty"` // smallest and largest; legal has some between them
	Won      []float64       `json:"won,omitempty"`      // chips by seat
	Hand     json.RawMessage `json:"hand,omitempty"`
	LastHand json.RawMessage `json:"last_hand,omitempty"`
}

func (p *Player) show(ctx context.Context, in gameOf) (any, error) {
	g, err := p.turn(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	s := state{Game: g.Game, Rules: g.Rules, Options: g.Options, You: g.You, Turn: g.Turn, ToMove: g.ToMove,
		Text: g.View.Text, Result: g.Result}
	for _, seat := range g.Seats {
		s.Players = append(s.Players, seat.Name)
	}
	if slices.Contains(g.ToMove, g.You) {
		s.Legal = g.View.Legal
		if g.You == 1 && g.View.LegalSecond != nil {
			s.Legal = g.View.LegalSecond
		}
	}
	k := g.View.Poker
	if k == nil {
		for _, m := range g.Moves {
			s.Moves = append(s.Moves, m.Move)
		}
		return s, nil
	}
	s.Won, s.Hand = k.Won, k.Hand
	if s.Legal != nil {
		s.Names, s.Call, s.RaiseTo = k.Names, k.Call, k.RaiseTo
	}
	if n := len(k.Finished); n > 0 {
		s.LastHand = k.Finished[n-1]
	}
	return s, nil
}

// move is a move in a game.
type move struct {
	gameOf
	Move string `json:"move" jsonschema:"one of the legal moves, or in no-limit poker r and the chips of a raise"`
}

func (p *Player) play(ctx context.Context, in move) (any, error) {
	changed, turn, known := p.next(in.Game)
	if !known {
		return nil, fmt.Errorf("%s: no running game of yours", in.Game)
	}
	_, err := p.client.Call(ctx, &wire.Play{Game: in.Game, Turn: turn, Move: in.Move})
	if err == nil {
		err = wait(ctx, changed)
	}
	if err != nil {
		return nil, err
	}
	return p.show(ctx, in.gameOf)
}

func (p *Player) resign(ctx context.Context, in gameOf) (any, error) {
	if _, err := p.client.Call(ctx, &wire.Resign{Game: in.Game}); err != nil {
		return nil, err
	}
	return p.show(ctx, in)
}

// position is a position of a game.
type position struct {
	gameOf
	Turn int      `json:"turn" jsonschema:"the position before this turn, from 0"`
	Line []string `json:"line,omitempty" jsonschema:"moves from there on, to rate a variation"`
	By   string   `json:"by,omitempty" jsonschema:"one of the methods of list_games"`
}

func (p *Player) rate(ctx context.Context, in position) (any, error) {
	g, err := p.over(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	return p.client.Call(ctx, &wire.Analyse{Game: g.Game, Turn: in.Turn, Line: in.Line, By: in.By})
}

// handOf names a hand of poker.
type handOf struct {
	gameOf
	Hand int `json:"hand" jsonschema:"number of the hand, from 0"`
}

// report returns the server's report on a match of poker.
func (p *Player) report(ctx context.Context, id string) (*table.Report, error) {
	g, err := p.poker(ctx, id)
	if err != nil {
		return nil, err
	}
	for late := time.Now().Add(patience); ; {
		r := &table.Report{}
		err := p.get(ctx, "/records/"+g.Game+".report", nil, r)
		if err != nil || !r.Partial || time.Now().After(late) {
			return r, err
		}
		if err := parallel.Wait(ctx, time.After(patience/100)); err != nil { // another request goes on
			return nil, err
		}
	}
}

func (p *Player) judge(ctx context.Context, in handOf) (any, error) {
	r, err := p.report(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.Hands, func(h table.HandReport) bool { return int(h.Hand) == in.Hand })
	if i < 0 {
		return nil, notOver(in.Hand)
	}
	return map[string]any{"by": r.By, "hand": r.Hands[i], "partial": r.Partial}, nil
}

// worst are how many decisions a report card lists.
const worst = 5

// costly is a decision with its hand.
type costly struct {
	Hand uint32 `json:"hand"`
	table.Decision
}

func (p *Player) card(ctx context.Context, in gameOf) (any, error) {
	r, err := p.report(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	hands, decisions, all := len(r.Hands), 0, []costly{}
	for _, h := range r.Hands {
		decisions += len(h.Decisions)
		for _, d := range h.Decisions {
			if d.Lost != nil && *d.Lost > 0 {
				all = append(all, costly{h.Hand, d})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b costly) int { return cmp.Compare(*b.Lost, *a.Lost) })
	r.Hands = nil
	return struct {
		*table.Report
		Hands     int      `json:"hands"`
		Decisions int      `json:"decisions"`
		Worst     []costly `json:"worst"`
	}{r, hands, decisions, all[:min(worst, len(all))]}, nil
}

// poker returns the state of a match of poker, whose hands can be judged.
func (p *Player) poker(ctx context.Context, id string) (*wire.Game, error) {
	g, err := p.game(ctx, id)
	switch o := (table.Options{}); {
	case err != nil:
	case g.View.Poker == nil:
		err = fmt.Errorf("%s is no poker: use rate", g.Rules)
	case json.Unmarshal(g.Options, &o) != nil || o.BuyIn > 0:
		err = errors.New("strategies are for full stacks: nothing is judged at a table with a buy-in")
	}
	return g, err
}

func notOver(hand int) error { return fmt.Errorf("hand %d is not over", hand) }
