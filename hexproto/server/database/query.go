package database

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query selects finished games. The zero value selects all.
type Query struct {
	player, opponent string
	outcome          string // one of outcomes
	before           string // id of a game: only older ones
	limit            int
	series           bool // tags are selected, which few games share
	where            []string
	args             []any
}

// ParameterError is the error of a parameter that a query cannot have.
type ParameterError struct{ Name, Problem string }

func (e *ParameterError) Error() string { return e.Name + ": " + e.Problem }

// outcomes are what a game can be for a player.
var outcomes = []string{"won", "lost", "drawn", "aborted"}

const (
	defaultLimit = 100
	maxLimit     = 1000
	maxParameter = 1 << 10 // bytes of a value
)

// ofKind selects games of a kind.
const ofKind = `kind = ?`

// ParseQuery returns the query of a request's parameters. An error is a *ParameterError.
func ParseQuery(parameters url.Values) (*Query, error) {
	q := &Query{limit: defaultLimit}
	for name, values := range parameters {
		if len(values) != 1 || len(values[0]) > maxParameter {
			return nil, &ParameterError{name, "it is given once, and is not that long"}
		}
		if values[0] == "" {
			continue
		}
		if problem := q.set(name, values[0]); problem != "" {
			return nil, &ParameterError{name, problem}
		}
	}
	if i := slices.Index(q.where, ofKind); i >= 0 && q.series {
		q.where[i] = "+" + ofKind // keeps SQLite from the index of all games of the kind
	}
	switch {
	case q.player == "" && q.opponent != "":
		return nil, &ParameterError{"opponent", "it needs a player"}
	case q.player == "" && (q.outcome == "won" || q.outcome == "lost"):
		return nil, &ParameterError{"result", "games are won and lost by a player, which is missing"}
	}
	return q, nil
}

// set sets a parameter. It returns what is wrong with the value, or "".
func (q *Query) set(name, value string) (problem string) {
	switch name {
	case "player":
		q.player = value
	case "opponent":
		q.opponent = value
	case "before":
		q.before = value
	case "kind":
		q.add(ofKind, value)
	case "rules", "how":
		q.add(name+` = ?`, value)
	case "tag":
		q.series = true
		q.add(`tag <> '' AND tag = ?`, value)
	case "series": // its games are tagged NAME-0, NAME-1, …
		q.series = true
		q.add(`tag <> '' AND tag >= ? AND tag < ? AND substr(tag, ?) NOT GLOB '*[^0-9]*' AND length(tag) >= ?`,
			value+"-", value+".", len([]rune(value))+2, len([]rune(value))+2)
	case "rated":
		if value != "true" && value != "false" {
			return "it is true or false"
		}
		q.add(`rated = ?`, value == "true")
	case "result":
		if !slices.Contains(outcomes, value) {
			return "it is won, lost, drawn or aborted"
		}
		q.outcome = value
	case "since", "until":
		at, ok := date(value, name == "until")
		if !ok {
			return "it is a day such as 2026-11-30, or a time in Unix milliseconds"
		}
		q.add(map[string]string{"since": `started >= ?`, "until": `started < ?`}[name], at)
	case "limit":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxLimit {
			return fmt.Sprintf("it is a number from 1 to %d", maxLimit)
		}
		q.limit = n
	default:
		return "there is no such parameter"
	}
	return ""
}

// date returns a day in UTC, or its end, or a time, in Unix milliseconds.
func date(text string, end bool) (at int64, ok bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		if end {
			day = day.AddDate(0, 0, 1)
		}
		return day.UnixMilli(), true
	}
	at, err := strconv.ParseInt(text, 10, 64)
	return at, err == nil
}

func (q *Query) add(condition string, args ...any) {
	q.where, q.args = append(q.where, condition), append(q.args, args...)
}

// statement returns the SQL that selects columns of the games and ends with a clause. The
// columns are row, started, and outcome, which is NULL without a player.
func (q *Query) statement(columns, ending string, endingArgs ...any) (text string, args []any) {
	from, where, args := ``, slices.Clone(q.where), slices.Clone(q.args)
	switch {
	case q.player == "":
		from, where = `(SELECT *, NULL AS outcome FROM games)`, append(where, `result IS NOT NULL`)
	case q.series: // games first: they have the index of tags
		from = `games CROSS JOIN (SELECT account, game, started AS at, outcome, others FROM played)
			ON game = row AND at = started`
	default:
		from = `(SELECT *, game AS row FROM played)`
	}
	if q.player != "" {
		where, args = append(where, `account = ?`), append(args, q.player)
	}
	if q.opponent != "" {
		where, args = append(where, `instr(others, ' ' || lower(?) || ' ') > 0`), append(args, q.opponent)
	}
	switch {
	case q.outcome == "":
	case q.player != "":
		where, args = append(where, `outcome = ?`), append(args, q.outcome)
	case q.outcome == "aborted":
		where = append(where, `how = 'abort'`)
	default: // drawn
		where = append(where, `winner = -1 AND how <> 'abort'`)
	}
	text = `SELECT ` + columns + ` FROM ` + from + ` WHERE ` + strings.Join(where, ` AND `) + ending
	return text, append(args, endingArgs...)
}
