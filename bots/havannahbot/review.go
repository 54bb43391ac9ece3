package havannahbot

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
)

// Reviewed is a move of a game and what it cost, by the searches of the position before it and of the one after it.
type Reviewed struct {
	Number int        `json:"number"` // from 1
	Player string     `json:"player"` // white or black
	Played game.Rated `json:"played"`
	Best   game.Rated `json:"best"`
	// Cost is the part of the winning chances that the move lost. Each search is some percent off, so that the lower of
	// the two counts, unless the move is proved.
	Cost float64 `json:"cost"`
	// Mark is "?" for a mistake, "??" for a blunder, as on the page of the server, and else "".
	Mark string `json:"mark,omitempty"`
}

// The costs of a mistake and of a blunder.
const (
	mistake = .15
	blunder = .3
)

// Review rates all positions of a game, the last first, and calls rated after each with its number. It returns the
// moves whose two positions were rated until the context ended.
func (a Analysis) Review(ctx context.Context, board *havannah.Board, rated func(n int)) (moves []Reviewed, err error) {
	b := *board
	var next []game.Rated // rates the position after the move
	for n := b.NumMoves(); n >= 0; n-- {
		var here []game.Rated
		if !b.Over() {
			if here, err = a.Rate(ctx, &b); err != nil || ctx.Err() != nil {
				break
			}
		}
		if n < board.NumMoves() {
			moves = append(moves, review(n+1, board, &b, here, next))
		}
		rated(n)
		next = here
		b.Undo()
	}
	slices.Reverse(moves)
	return moves, err
}

// review judges a move of a game by the ratings of the position before it, and of the one after it, which are none
// where the game is over.
func review(number int, played, before *havannah.Board, here, next []game.Rated) Reviewed {
	r := Reviewed{Number: number, Player: before.Turn().String(), Best: here[0]}
	r.Played.Move = before.Grid().Format(played.Move(number - 1))
	known := slices.IndexFunc(here, func(m game.Rated) bool { return m.Move == r.Played.Move })
	best := here[0].Value
	switch {
	case known >= 0 && here[known].Proof != "":
		r.Played = here[known]
	case len(next) > 0:
		after := next[0]
		r.Played.Value = 1 - after.Value
		if r.Played.Proof = opposite[after.Proof]; r.Played.Proof != "" {
			r.Played.Plies, r.Played.Line = after.Plies+1, append([]string{r.Played.Move}, after.Line...)
		}
		if here[0].Proof == "" {
			best = max(best, r.Played.Value) // the search did not see how good the move was
		}
	default:
		r.Played.Value, r.Played.Proof = .5, game.ProvedDraw
		if played.Won() != 0 { // nobody makes the opponent's structure
			r.Played.Value, r.Played.Proof, r.Played.Plies = 1, game.ProvedWin, 1
		}
	}
	r.Cost = best - r.Played.Value
	if known >= 0 && r.Played.Proof == "" {
		r.Cost = min(r.Cost, here[0].Value-here[known].Value)
	}
	r.Cost = max(0, r.Cost)
	if known == 0 {
		r.Best = r.Played
	}
	switch {
	case r.Cost >= blunder:
		r.Mark = "??"
	case r.Cost >= mistake:
		r.Mark = "?"
	}
	return r
}

// opposite is what a proof is for the other player.
var opposite = map[string]string{
	game.ProvedWin: game.ProvedLoss, game.ProvedLoss: game.ProvedWin, game.ProvedDraw: game.ProvedDraw,
}

// WriteReview writes a table of the moves of a game.
func WriteReview(w io.Writer, moves []Reviewed) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "move\tplayer\tplayed\tresult\tbest\tresult\t\n")
	for _, r := range moves {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Number, r.Player, r.Played.Move, verdictOf(r.Played),
			r.Best.Move, verdictOf(r.Best), r.Mark)
	}
	return table.Flush()
}
