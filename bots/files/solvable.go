package files

import (
	"fmt"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/hexproto/havannah"
	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
	"gamebots/solvers/nash/extensive"
)

// read reads what a file of at most so many bytes has.
func read[T any](file string, most int64, parse func(file string, text []byte) (T, error)) (v T, err error) {
	text, err := configs.ReadFileAtMost(file, most)
	if err == nil {
		v, err = parse(file, text)
	}
	return v, err
}

func checkExtensive(file string, f *Finding) error {
	g, err := read(file, extensive.MaxBytes, extensive.Read)
	if err != nil {
		return err
	}
	describeExtensive(g, f)
	return nil
}

// describeExtensive describes an extensive game.
func describeExtensive(g *extensive.Game, f *Finding) {
	f.warn(g.Warning)
	sets, actions := make([]int, len(g.Players)), make([]int, len(g.Players))
	for _, s := range g.Sets {
		if s.Player != extensive.Chance {
			sets[s.Player]++
			actions[s.Player] += len(s.Actions)
		}
	}
	subgames := 0
	for _, root := range g.Subgames() {
		if root {
			subgames++
		}
	}
	f.Summary = fmt.Sprintf("extensive game %s: %s, %s, %s", strconv.Quote(g.Title),
		usererr.Counted(len(g.Players), "player", "players"), usererr.Counted(len(g.Nodes), "node", "nodes"),
		usererr.Counted(subgames, "subgame", "subgames"))
	var out strings.Builder
	for p := range g.Players {
		fmt.Fprintf(&out, "%s: %s, %s\n", describePlayer(g.Players, p),
			usererr.Counted(sets[p], "information set", "information sets"),
			usererr.Counted(actions[p], "action", "actions"))
	}
	if _, err := g.Sequences(); err != nil {
		fmt.Fprintf(&out, "%v\n", err)
	} else {
		out.WriteString("perfect recall\n")
	}
	out.WriteString(describeSum(g.ConstantSum()))
	f.Text = out.String()
}

// describePlayer returns the number and the name of a player.
func describePlayer(players []string, p int) string {
	text := fmt.Sprint("player ", p+1)
	if players[p] != "" {
		text += ", " + usererr.Printed(players[p])
	}
	return text
}

// describeSum says whether payoffs add up to a constant.
func describeSum(constant bool) string {
	if constant {
		return "constant sum\n"
	}
	return "no constant sum\n"
}

func checkNormalForm(file string, f *Finding) error {
	g, err := read(file, bimatrix.MaxBytes, bimatrix.ReadLarge)
	if err != nil {
		return err
	}
	var out strings.Builder
	for p, n := range [2]int{g.Rows, g.Cols} {
		fmt.Fprintf(&out, "%s: %s\n", describePlayer(g.Players[:], p), usererr.Counted(n, "strategy", "strategies"))
	}
	f.Summary = fmt.Sprintf("game in normal form %s: 2 players, %d x %d strategies", strconv.Quote(g.Title), g.Rows,
		g.Cols)
	out.WriteString(describeSum(g.ConstantSum()))
	if g.Symmetric() {
		out.WriteString("symmetric\n")
	}
	if g.TiedReplies() {
		out.WriteString("degenerate: a strategy has two best replies\n")
	}
	f.Text = out.String()
	return nil
}

// warn adds the warning of a game that was read, if there is one.
func (f *Finding) warn(w *bimatrix.Warning) {
	if w != nil {
		f.Warnings = append(f.Warnings, acpc.Warning{File: w.File, Line: w.Line, Msg: w.Text})
	}
}

// maxRecords is the largest file of records of games that is checked.
const maxRecords = 1 << 28

func checkHGF(file string, f *Finding) error {
	text, err := configs.ReadFileAtMost(file, maxRecords)
	if err != nil {
		return err
	}
	records, err := havannah.ParseHGF(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f.Summary = usererr.Counted(len(records), "game of Havannah", "games of Havannah")
	var out strings.Builder
	for _, r := range records {
		fmt.Fprintln(&out, r)
	}
	f.Text = out.String()
	return nil
}
