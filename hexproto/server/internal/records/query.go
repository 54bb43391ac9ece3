package records

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Query selects finished games. The zero value selects all.
type Query struct {
	player, opponent string
	outcome          string // of outcomes
	before           string // id of a game: only older ones
	limit            int
	series           bool // tags are selected, which few games share
	where            []string
	args             []any
}

// ParameterError is the error of a parameter that a query cannot have.
type ParameterError struct{ Name, Problem string }

func (e *ParameterError) Error() string { return e.Name + ": " + e.Problem }

// The outcomes of a game for a player, as conditions with the player's seat.
var outcomes = map[string]string{
	"won": `winner = @seat`, "lost": `winner >= 0 AND winner <> @seat`, "drawn": `winner = -1 AND how <> 'abort'`, "aborted": `how = 'abort'`,
}

const (
	defaultLimit = 100
	maxLimit     = 1000
	maxParameter = 20 << 10 // bytes of a value; the text of a matrix game is an option
)

// ofKind selects games of a kind.
const ofKind = `kind = ?`

// option is the name of a parameter that selects an option of a game.
var option = regexp.MustCompile(`^option\.([a-z_]{1,32})$`)

// Parse returns the query of a request's parameters. An error is a *ParameterError.
func Parse(parameters url.Values) (*Query, error) {
	q := &Query{limit: defaultLimit}
	q.add(`result IS NOT NULL`)
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
	if i := slices.Index(q.where, ofKind); i >= 0 && q.player != "" {
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
		if outcomes[value] == "" {
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
		match := option.FindStringSubmatch(name)
		if match == nil {
			return "there is no such parameter"
		}
		// A value is JSON, or a text without its quotes.
		q.add(`json_valid(options) AND options -> ? IN (?, json_quote(?))`, "$."+match[1], value, value)
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

// account is the name of an account as games have it, whatever its case in a query.
const account = `ifnull((SELECT name FROM accounts WHERE name = ?), ?)`

// statement returns the SQL that selects columns of the games and ends with a clause.
// In the columns @seat is the seat of the player, or -1. A player is in the first seat, the
// second, or one of the others, and each part has its own index.
func (q *Query) statement(columns, ending string, endingArgs ...any) (text string, args []any) {
	part := func(seat, from string, conditions []string, extra ...any) string {
		conditions = append(slices.Clone(q.where), conditions...)
		if q.outcome != "" {
			condition := outcomes[q.outcome]
			conditions = append(conditions, strings.ReplaceAll(condition, "@seat", seat))
		}
		args = append(append(append(args, q.args...), extra...), endingArgs...)
		return `SELECT * FROM (SELECT ` + strings.ReplaceAll(columns, "@seat", seat) + ` FROM games` + from + ` WHERE ` + strings.Join(conditions, " AND ") + ending + `)`
	}
	if q.player == "" {
		return part("-1", "", nil), args
	}
	plus := ""
	if q.series {
		plus = "+" // keeps SQLite from taking the index of the player
	}
	var parts []string
	for seat, names := range [][2]string{{"first", "second"}, {"second", "first"}} {
		conditions, extra := []string{plus + names[0] + ` = ` + account}, []any{q.player, q.player}
		if q.opponent != "" {
			conditions = append(conditions, `(+`+names[1]+` = `+account+` OR `+fmt.Sprintf(isOther, account)+`)`)
			extra = append(extra, q.opponent, q.opponent, q.opponent, q.opponent)
		}
		parts = append(parts, part(strconv.Itoa(seat), "", conditions, extra...))
	}
	conditions := []string{`others <> ''`, fmt.Sprintf(isOther, "player"), `player NOT IN (first, second)`}
	var extra []any
	if q.opponent != "" {
		conditions = append(conditions, `(`+account+` IN (first, second) OR `+fmt.Sprintf(isOther, account)+`)`)
		extra = []any{q.opponent, q.opponent, q.opponent, q.opponent}
	}
	// The names before it are divided by as many blanks as there are.
	const before = `substr(others, 1, instr(' ' || others || ' ', ' ' || player || ' ') - 1)`
	seat := `2 + length(` + before + `) - length(replace(` + before + `, ' ', ''))`
	args = append(args, q.player, q.player) // of the table that follows
	parts = append(parts, part(seat, ` INDEXED BY games_others, (SELECT `+account+` AS player)`, conditions, extra...))
	return strings.Join(parts, ` UNION ALL `), args
}

// isOther is the condition that a name is one of others.
const isOther = `instr(' ' || others || ' ', ' ' || %s || ' ') > 0`
