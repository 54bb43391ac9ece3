package files

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/history"
	"gamebots/configs"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/nim"
)

// maxRecord is the longest line of text in bytes.
const maxRecord = 1 << 20

// maxCollection is the largest file of HGF in bytes. Such a file is read whole; a game
// takes a few hundred bytes.
const maxCollection = 1 << 28

// boardGame is a record of either board game.
type boardGame struct {
	havannah *havannah.Record
	nim      *nim.Board
}

// boards converts games of Havannah and Nim.
func (j *Job) boards(in io.Reader, out io.Writer, result *Result) error {
	put := func(location string, g boardGame) error {
		text, err := formatNamed(j.To).game(j, g)
		if err != nil {
			return fmt.Errorf("%s: %w", location, err)
		}
		if j.To == CSV && result.Records == 0 {
			text = boardHeader + text
		}
		result.Records++
		_, err = io.WriteString(out, text)
		return err
	}
	if j.From == HGF {
		text, err := configs.ReadAtMost(in, j.Name, maxCollection)
		if err != nil {
			return err
		}
		records, err := havannah.ParseHGF(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", j.Name, err)
		}
		for i, r := range records {
			if err := put(fmt.Sprintf("%s: game %d", j.Name, i+1), boardGame{havannah: r}); err != nil {
				return err
			}
		}
		return nil
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRecord)
	number := 0
	for lines.Scan() {
		number++
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		location := fmt.Sprintf("%s:%d", j.Name, number)
		g, err := parseText(line)
		if err != nil {
			return fmt.Errorf("%s: %w", location, err)
		}
		if err := put(location, g); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: a line of more than %d bytes", j.Name, number+1, maxRecord)
	} else if err != nil {
		return fmt.Errorf("%s:%d: %w", j.Name, number+1, err)
	}
	if result.Records == 0 {
		return fmt.Errorf("%s: no game", j.Name)
	}
	return nil
}

// Havannah returns the games of a file of Havannah, in any form that [havannah.ParseGames] reads.
func Havannah(file string) ([]*havannah.Record, error) {
	text, err := configs.ReadFileAtMost(file, maxCollection)
	if err != nil {
		return nil, err
	}
	records, err := havannah.ParseGames(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return records, nil
}

// parseText parses a line of text of either game. Those of Nim begin with the heaps.
func parseText(line string) (boardGame, error) {
	if strings.HasPrefix(line, "heaps=") {
		b, err := nim.Parse(line)
		return boardGame{nim: b}, err
	}
	r, err := havannah.ParseRecord(line)
	return boardGame{havannah: r}, err
}

func (*Job) text(g boardGame) (string, error) {
	if g.nim != nil {
		return g.nim.String() + "\n", nil
	}
	return g.havannah.String() + "\n", nil
}

func (*Job) jsonl(g boardGame) (string, error) {
	line, err := json.Marshal(g.json())
	return string(line) + "\n", err
}

// hgf returns a game of Havannah in HGF, and reports what it cannot represent.
func (j *Job) hgf(g boardGame) (string, error) {
	if g.nim != nil {
		return "", usagef("text, csv and jsonl have games of Nim", "HGF has no games of Nim")
	}
	r := g.havannah
	text := r.HGF() + "\n"
	again, err := havannah.ParseHGF(text)
	if err != nil {
		return "", err
	}
	if j.OnLoss != nil {
		for _, tag := range r.Tags {
			if !slices.Contains(again[0].Tags, tag) {
				j.OnLoss(fmt.Sprintf("game %s: HGF has no place for %s=%s", r.Name, tag.Key, tag.Value))
			}
		}
	}
	return text, nil
}

// gameJSON is a board game as JSON for other programs.
type gameJSON struct {
	Game   string            `json:"game"`
	Name   string            `json:"name,omitempty"`
	First  string            `json:"first,omitempty"`  // who plays the first stones, where it is known
	Second string            `json:"second,omitempty"` // who played second
	Winner string            `json:"winner"`           // white, black, first, second, draw or unknown
	End    string            `json:"end,omitempty"`
	Moves  []string          `json:"moves"`
	Tags   map[string]string `json:"tags,omitempty"`
	Record string            `json:"record"` // all of it, as text
}

func (g boardGame) json() gameJSON {
	if b := g.nim; b != nil {
		t := gameJSON{Game: "nim", Winner: "unknown", Moves: movesOf(b.String()), Record: b.String()}
		if b.Over() {
			t.Winner = b.Winner().String()
		}
		return t
	}
	r := g.havannah
	t := gameJSON{Game: "havannah", Name: r.Name, First: r.Tag("pw"), Second: r.Tag("pb"), Winner: r.Winner(),
		End:   r.End(),
		Moves: movesOf(r.Board.String()), Tags: map[string]string{}, Record: r.String()}
	for _, tag := range r.Tags {
		t.Tags[tag.Key] = tag.Value
	}
	return t
}

// movesOf returns what a record has after its colon.
func movesOf(record string) []string {
	_, moves, _ := strings.Cut(record+" ", " : ")
	if fields := strings.Fields(moves); fields != nil {
		return fields
	}
	return []string{}
}

const boardHeader = "game,name,first,second,winner,end,plies,moves,record\n"

func (*Job) csv(g boardGame) (string, error) {
	t := g.json()
	plies := len(t.Moves)
	if t.End == "resign" {
		plies++ // as records count
	}
	return string(history.AppendRows(nil, []string{
		t.Game, t.Name, t.First, t.Second, t.Winner, t.End, strconv.Itoa(plies), strings.Join(t.Moves, " "), t.Record,
	})), nil
}
