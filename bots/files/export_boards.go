package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gamebots/acpc/history"
	"gamebots/bots/arena"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// gameHeader is the first line of a table of board games.
const gameHeader = "table,game,first,second,winner,how,fault,book,plies,moves\n"

func writeBoards(
	ctx context.Context, w io.Writer, games arena.Games, run *arena.Run, rules game.Rules, format Format,
) (n int, err error) {
	if format == CSV {
		if _, err := io.WriteString(w, gameHeader); err != nil {
			return 0, err
		}
	}
	for g, err := range games.BoardGames(ctx, run) {
		if err != nil {
			return n, err
		}
		var text []byte
		switch format {
		case CSV:
			text = history.AppendRows(nil, []string{
				strconv.Itoa(g.Table), strconv.Itoa(g.Number), g.First, g.Second, g.Winner, g.How, g.Fault,
				strconv.Itoa(g.Book), strconv.Itoa(len(g.Moves)), strings.Join(g.Moves, " "),
			})
		case JSONL:
			if text, err = json.Marshal(g); err == nil {
				text = append(text, '\n')
			}
		default:
			var record string
			record, err = recordOf(run.Plan.Name, rules, g, format)
			text = []byte(record)
		}
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// recordOf plays a game again and returns its record.
func recordOf(run string, rules game.Rules, g *arena.TableGame, format Format) (string, error) {
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("run %s, table %d, game %d: %w", run, g.Table, g.Number, err)
	}
	game, err := rules.New(g.Options)
	if err != nil {
		return fail(err)
	}
	for _, move := range g.Moves {
		to := game.ToMove()
		turn := make([]string, len(to))
		for seat, moves := range to {
			if moves {
				turn[seat] = move
			}
		}
		if err := game.Play(turn); err != nil {
			return fail(err)
		}
	}
	about := &wire.Game{
		Game:  fmt.Sprintf("%s-table%d-game%d", run, g.Table, g.Number),
		Seats: []wire.Player{{Name: g.First}, {Name: g.Second}},
	}
	about.Result = &wire.Result{Winner: -1, How: g.How}
	for seat, name := range []string{g.First, g.Second} {
		if g.Winner == name {
			about.Result.Winner = seat
		}
	}
	text, ok := game.Record(formatNamed(format).extensions[0][1:], about)
	if !ok {
		return fail(fmt.Errorf("%s has no records in %s", rules.About().Name, format))
	}
	return text, nil
}
