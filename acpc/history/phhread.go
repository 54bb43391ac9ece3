package history

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"

	"github.com/BurntSushi/toml"
)

// PHHReader reads the hands of a file of PHH: one, or one a table.
type PHHReader struct {
	// Scale is how many chips a unit of the file's is, 0 for 1. With 100, files
	// in dollars and cents become whole chips.
	Scale float64

	name   string
	tables tables
	game   *acpc.Game // that of the last _acpc_game
	hands  uint32
	err    error
}

// NewPHHReader returns a reader of a file of PHH; name is for errors.
func NewPHHReader(r io.Reader, name string) *PHHReader {
	return &PHHReader{name: name, tables: tables{in: bufio.NewReaderSize(r, 1<<16)}}
}

// fields are those of a hand that are looked at; the others are for people.
type fields struct {
	Variant   *string   `toml:"variant"`
	Antes     []number  `toml:"antes"`
	Blinds    []number  `toml:"blinds_or_straddles"`
	SmallBet  number    `toml:"small_bet"`
	BigBet    number    `toml:"big_bet"`
	MinBet    number    `toml:"min_bet"`
	Stacks    []number  `toml:"starting_stacks"`
	Actions   *[]string `toml:"actions"`
	Hand      any       `toml:"hand"`
	Players   []string  `toml:"players"`
	Finishing []number  `toml:"finishing_stacks"`
	First     int       `toml:"_acpc_first_position"`
	Game      string    `toml:"_acpc_game"`
	Line      string    `toml:"_acpc_line"`
	Before    []string  `toml:"_acpc_before"`
	After     []string  `toml:"_acpc_after"`
}

// number is a number of TOML of either kind.
type number float64

func (n *number) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case int64:
		*n = number(v)
	case float64:
		*n = number(v)
	default:
		return fmt.Errorf("%v is not a number", v)
	}
	return nil
}

// HandError says why a hand cannot be read. The hands after it can.
type HandError struct {
	File string
	Line int
	Err  error
}

func (e *HandError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *HandError) Unwrap() error { return e.Err }

// Next returns the next hand, or io.EOF. A file without any hand is an error.
// After a *HandError it goes on with the hand behind that one.
func (r *PHHReader) Next() (*Hand, error) {
	if r.err != nil {
		return nil, r.err
	}
	h, err := r.next()
	if err == io.EOF && r.hands == 0 {
		err = fmt.Errorf("%s: no hand", r.name)
	}
	if bad := (*HandError)(nil); err == nil || errors.As(err, &bad) {
		r.hands++
	} else {
		r.err = err
	}
	return h, err
}

func (r *PHHReader) next() (*Hand, error) {
	t, err := r.tables.next()
	if err == io.EOF {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	var f fields
	if _, err := toml.Decode(t.text, &f); err != nil {
		line, err := decodeError(&t, err)
		return nil, &HandError{r.name, line, err}
	}
	h, err := r.hand(&f)
	if err != nil {
		return nil, &HandError{r.name, t.lineOf(err), err}
	}
	return h, nil
}

// decodeError returns the line of an error of the TOML decoder, and the reason.
func decodeError(t *table, err error) (line int, reason error) {
	if parse := (toml.ParseError{}); errors.As(err, &parse) {
		return t.line + parse.Position.Line - 1, errors.New(parse.Message)
	}
	if wrong := typeError(t.text); wrong != nil {
		return t.lineOf(wrong), wrong
	}
	return t.line, err
}

// typeError returns an error that names the first key whose value has the wrong
// type, or nil. The decoder has no typed error for that.
func typeError(text string) error {
	var values map[string]toml.Primitive
	md, err := toml.Decode(text, &values)
	if err != nil {
		return err
	}
	for field := range reflect.TypeFor[fields]().Fields() {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if !strings.EqualFold(key, field.Tag.Get("toml")) { // as the decoder matches them
				continue
			}
			if err := md.PrimitiveDecode(values[key], reflect.New(field.Type).Interface()); err != nil {
				return fail(key, "the value is not %s", typeName(field.Type))
			}
		}
	}
	return nil
}

// typeName describes the values that a field takes.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "a list, each item " + typeName(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	default:
		return "a number"
	}
}

func fail(key string, format string, args ...any) error {
	return &errAt{key, -1, fmt.Errorf(format, args...)}
}

// hand makes a hand of its fields.
func (r *PHHReader) hand(f *fields) (*Hand, error) {
	if f.Variant == nil {
		return nil, fail("variant", "missing")
	}
	if f.Actions == nil {
		return nil, fail("actions", "missing")
	}
	g, err := r.gameOf(f)
	if err != nil {
		return nil, err
	}
	if f.First < 0 || f.First >= g.NumPlayers {
		return nil, fail("_acpc_first_position", "%d is not a position of %d players", f.First, g.NumPlayers)
	}
	id, err := r.handID(f.Hand)
	if err != nil {
		return nil, err
	}
	h := &Hand{State: g.NewState(id), Before: f.Before, After: f.After}
	p := replay{hand: h, first: f.First, scale: r.scale(), ante: anteOf(g)}
	for q := range g.NumPlayers {
		h.Hidden[q] = true
	}
	for i, text := range *f.Actions {
		if err := p.action(text); err != nil {
			return nil, &errAt{"actions", i, fmt.Errorf("%q: %w", text, err)}
		}
	}
	if err := p.end(); err != nil {
		return nil, fail("actions", "%w", err)
	}
	if err := h.check(); err != nil {
		return nil, fail("actions", "%w", err)
	}
	if err := r.names(h, f); err != nil {
		return nil, err
	}
	if err := r.values(h, f, p.mucked); err != nil {
		return nil, err
	}
	return h, r.line(h, f)
}

func (r *PHHReader) scale() float64 { return cmp.Or(r.Scale, 1) }

// chips returns an amount in chips.
func (r *PHHReader) chips(key string, n number) (int32, error) {
	v := float64(n) * r.scale()
	whole := math.Round(v)
	switch {
	case math.IsNaN(v) || math.Abs(whole) > math.MaxInt32:
		return 0, fail(key, "%v is no amount of chips", float64(n))
	case math.Abs(v-whole) > 1e-6:
		return 0, fail(key, "%v is a fraction of a chip, which a log cannot have; with a scale of 100 it is %v chips", float64(n), 100*v)
	}
	return int32(whole), nil
}

// amounts returns a list of amounts, one a player.
func (r *PHHReader) amounts(key string, list []number, players int) ([]int32, error) {
	if list == nil {
		return nil, fail(key, "missing")
	}
	if len(list) != players {
		return nil, fail(key, "%d items for %d players", len(list), players)
	}
	out := make([]int32, players)
	for i, n := range list {
		v, err := r.chips(key, n)
		if err != nil {
			return nil, err
		}
		if v < 0 {
			return nil, fail(key, "%d is negative", v)
		}
		out[i] = v
	}
	return out, nil
}

// handID returns the hand's number; a hand without one, or with a name, is
// counted.
func (r *PHHReader) handID(hand any) (uint32, error) {
	switch v := hand.(type) {
	case nil:
		return r.hands, nil
	case int64:
		if v < 0 || v > math.MaxUint32 {
			return 0, fail("hand", "%d is not from 0 to %d", v, uint32(math.MaxUint32))
		}
		return uint32(v), nil
	case string:
		if n, err := strconv.ParseUint(v, 10, 32); err == nil {
			return uint32(n), nil
		}
		return r.hands, nil
	}
	return 0, fail("hand", "neither a number nor a name")
}

// names takes the players' names, or p1, p2 and so on where there are none.
func (r *PHHReader) names(h *Hand, f *fields) error {
	n := h.Game().NumPlayers
	h.Names = make([]string, n)
	if f.Players != nil && len(f.Players) != n {
		return fail("players", "%d names for %d players", len(f.Players), n)
	}
	for i := range n {
		name := "p" + strconv.Itoa(i+1)
		if f.Players != nil {
			name = f.Players[i]
		}
		if strings.ContainsAny(name, "|\r\n") {
			return &errAt{"players", i, fmt.Errorf("%q has a character that a log uses itself", name)}
		}
		h.Names[(i+f.First)%n] = name
	}
	return nil
}

// values takes what the players won: what the cards say, or where the file
// knows better, as it does of a rake, the difference of the stacks.
func (r *PHHReader) values(h *Hand, f *fields, mucked bool) error {
	n := h.Game().NumPlayers
	known := h.showsAll() && !mucked
	exact := h.State.Values()
	h.Values = slices.Clone(exact[:n])
	switch {
	case f.Finishing == nil && !known:
		return fail("finishing_stacks", "missing, and not all cards of the showdown are known")
	case f.Finishing == nil:
		return nil
	case len(f.Finishing) != n:
		return fail("finishing_stacks", "%d items for %d players", len(f.Finishing), n)
	}
	for i, stack := range f.Finishing {
		p := (i + f.First) % n
		v := float64(stack)*r.scale() - float64(h.Game().Stack[p])
		if math.IsNaN(v) || h.Game().Stack[p] == acpc.NoStackLimit {
			return fail("finishing_stacks", "no difference to starting_stacks")
		}
		if known && math.Abs(v-exact[p]) < 1e-6 {
			continue // the exact one
		}
		h.Values[p] = v
	}
	return nil
}

// line takes the line of the log, which must be one of the same hand.
func (r *PHHReader) line(h *Hand, f *fields) error {
	for _, key := range []struct {
		name  string
		lines []string
	}{{"_acpc_before", f.Before}, {"_acpc_after", f.After}, {"_acpc_line", []string{f.Line}}} {
		for i, line := range key.lines {
			if strings.Contains(line, "\n") || key.name != "_acpc_line" && !isOther(line) {
				return &errAt{key.name, i, fmt.Errorf("%q is no such line of a log", line)}
			}
		}
	}
	if f.Line == "" {
		return nil
	}
	said, err := ParseLog(h.Game(), strings.TrimSuffix(f.Line, "\r"))
	if err != nil {
		return fail("_acpc_line", "%w", err)
	}
	if string(said.State.Append(nil)) != string(h.State.Append(nil)) || !slices.Equal(said.Names, h.Names) {
		return fail("_acpc_line", "another hand than that of actions")
	}
	h.Line, h.Values = f.Line, said.Values
	return nil
}
