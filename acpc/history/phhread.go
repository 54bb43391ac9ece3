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

// PHHReader reads the hands of a PHH file, which has one hand, or one in each table.
type PHHReader struct {
	// Scale is the number of chips that a unit of the file stands for, 0 for 1. With
	// 100, files in dollars and cents give whole chips.
	Scale float64

	name   string
	tables tables
	game   *acpc.Game // the last _acpc_game
	hands  uint32
	err    error
}

// NewPHHReader returns a reader of a PHH file; name is the file's, for errors.
func NewPHHReader(r io.Reader, name string) *PHHReader {
	return &PHHReader{name: name, tables: tables{in: bufio.NewReaderSize(r, 1<<16)}}
}

// phhFields are the fields of a hand that the reader uses; the others are informative.
type phhFields struct {
	Variant   *string     `toml:"variant"`
	Antes     []phhNumber `toml:"antes"`
	Blinds    []phhNumber `toml:"blinds_or_straddles"`
	SmallBet  phhNumber   `toml:"small_bet"`
	BigBet    phhNumber   `toml:"big_bet"`
	MinBet    phhNumber   `toml:"min_bet"`
	Stacks    []phhNumber `toml:"starting_stacks"`
	Actions   *[]string   `toml:"actions"`
	Hand      any         `toml:"hand"`
	Players   []string    `toml:"players"`
	Finishing []phhNumber `toml:"finishing_stacks"`
	First     int         `toml:"_acpc_first_position"`
	Game      string      `toml:"_acpc_game"`
	Line      string      `toml:"_acpc_line"`
	Before    []string    `toml:"_acpc_before"`
	After     []string    `toml:"_acpc_after"`
}

// phhNumber is an integer or a float of TOML.
type phhNumber float64

func (n *phhNumber) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case int64:
		*n = phhNumber(v)
	case float64:
		*n = phhNumber(v)
	default:
		return fmt.Errorf("%v is not a number", v)
	}
	return nil
}

// HandError is the error of a hand that cannot be read. Reading may go on with the hands
// after it.
type HandError struct {
	File string
	Line int
	Err  error
}

func (e *HandError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *HandError) Unwrap() error { return e.Err }

// Next returns the next hand, or io.EOF. A file without hands is an error. After a
// *HandError the next call returns the hand after the faulty one.
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
	var f phhFields
	if _, err := toml.Decode(t.text, &f); err != nil {
		line, err := decodeError(&t, err)
		return nil, &HandError{r.name, line, err}
	}
	h, err := r.hand(&t, &f)
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
	for field := range reflect.TypeFor[phhFields]().Fields() {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if !strings.EqualFold(key, field.Tag.Get("toml")) { // as the decoder matches them
				continue
			}
			if err := md.PrimitiveDecode(values[key], reflect.New(field.Type).Interface()); err != nil {
				return keyErrorf(key, "the value is not %s", typeName(field.Type))
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

func keyErrorf(key string, format string, args ...any) error {
	return &keyError{key, -1, fmt.Errorf(format, args...)}
}

// hand plays the hand of a table's fields.
func (r *PHHReader) hand(t *table, f *phhFields) (*Hand, error) {
	if f.Variant == nil {
		return nil, keyErrorf("variant", "missing")
	}
	if f.Actions == nil {
		return nil, keyErrorf("actions", "missing")
	}
	g, err := r.gameOf(f)
	if err != nil {
		return nil, err
	}
	if f.First < 0 || f.First >= g.NumPlayers {
		return nil, keyErrorf("_acpc_first_position", "%d is not a position of %d players", f.First, g.NumPlayers)
	}
	id, err := r.handID(f.Hand)
	if err != nil {
		return nil, err
	}
	h := &Hand{State: g.NewState(id), Before: f.Before, After: f.After}
	p := phhReplay{hand: h, first: f.First, scale: r.scale(), ante: g.Ante()}
	for q := range g.NumPlayers {
		h.Hidden[q] = true
	}
	for i, text := range *f.Actions {
		if err := p.action(text); err != nil {
			return nil, &keyError{"actions", i, fmt.Errorf("%q: %w", text, err)}
		}
	}
	if err := p.end(); err != nil {
		return nil, keyErrorf("actions", "%w", err)
	}
	if err := h.check(); err != nil {
		return nil, keyErrorf("actions", "%w", err)
	}
	if err := r.names(h, f); err != nil {
		return nil, err
	}
	if err := r.values(h, f, p.mucked); err != nil {
		return nil, err
	}
	if err := h.checkWinnings(); err != nil {
		doubt := keyErrorf("finishing_stacks", "%w", err)
		h.Doubt = (&HandError{r.name, t.lineOf(doubt), doubt}).Error()
	}
	return h, r.line(h, f)
}

func (r *PHHReader) scale() float64 { return cmp.Or(r.Scale, 1) }

// chips converts an amount to chips.
func (r *PHHReader) chips(key string, n phhNumber) (int32, error) {
	v := float64(n) * r.scale()
	whole := math.Round(v)
	switch {
	case math.IsNaN(v) || math.Abs(whole) > math.MaxInt32:
		return 0, keyErrorf(key, "%v is not an amount of chips", float64(n))
	case math.Abs(v-whole) > 1e-6:
		return 0, keyErrorf(key,
			"%v is a fraction of a chip, which a log cannot have; with a scale of 100 it is %v chips",
			float64(n), 100*v)
	}
	return int32(whole), nil
}

// amounts converts a list of amounts, one for each player.
func (r *PHHReader) amounts(key string, list []phhNumber, players int) ([]int32, error) {
	if list == nil {
		return nil, keyErrorf(key, "missing")
	}
	if len(list) != players {
		return nil, keyErrorf(key, "%d items for %d players", len(list), players)
	}
	out := make([]int32, players)
	for i, n := range list {
		v, err := r.chips(key, n)
		if err != nil {
			return nil, err
		}
		if v < 0 {
			return nil, keyErrorf(key, "%d is negative", v)
		}
		out[i] = v
	}
	return out, nil
}

// handID returns the hand's number; a hand without one, or with a name, gets its place
// in the file.
func (r *PHHReader) handID(hand any) (uint32, error) {
	switch v := hand.(type) {
	case nil:
		return r.hands, nil
	case int64:
		if v < 0 || v > math.MaxUint32 {
			return 0, keyErrorf("hand", "%d is not from 0 to %d", v, uint32(math.MaxUint32))
		}
		return uint32(v), nil
	case string:
		if n, err := strconv.ParseUint(v, 10, 32); err == nil {
			return uint32(n), nil
		}
		return r.hands, nil
	}
	return 0, keyErrorf("hand", "neither a number nor a name")
}

// names sets the players' names, p1, p2 and so on if the file has none.
func (r *PHHReader) names(h *Hand, f *phhFields) error {
	n := h.Game().NumPlayers
	h.Names = make([]string, n)
	if f.Players != nil && len(f.Players) != n {
		return keyErrorf("players", "%d names for %d players", len(f.Players), n)
	}
	for i := range n {
		name := "p" + strconv.Itoa(i+1)
		if f.Players != nil {
			name = f.Players[i]
		}
		if strings.ContainsAny(name, "|\r\n") {
			return &keyError{"players", i, fmt.Errorf("%q has a character that a log uses itself", name)}
		}
		h.Names[(i+f.First)%n] = name
	}
	return nil
}

// values sets the players' winnings: those that follow from the cards, or the difference
// of the stacks if the file has other ones, for example because of a rake. A line of the
// log that the file has, too, states them afterwards.
func (r *PHHReader) values(h *Hand, f *phhFields, mucked bool) error {
	n := h.Game().NumPlayers
	known := h.showsAll() && !mucked
	exact := h.State.Values()
	h.Values = slices.Clone(exact[:n])
	switch {
	case f.Finishing == nil && !known && f.Line == "":
		return keyErrorf("finishing_stacks", "missing, and not all cards of the showdown are known")
	case f.Finishing == nil:
		return nil
	case len(f.Finishing) != n:
		return keyErrorf("finishing_stacks", "%d items for %d players", len(f.Finishing), n)
	}
	for i, stack := range f.Finishing {
		p := (i + f.First) % n
		v := float64(stack)*r.scale() - float64(h.Game().Stack[p])
		if math.IsNaN(v) || math.IsInf(v, 0) || h.Game().Stack[p] == acpc.NoStackLimit {
			return keyErrorf("finishing_stacks", "no difference to starting_stacks")
		}
		if known && math.Abs(v-exact[p]) < 1e-6 {
			continue // the exact one
		}
		h.Values[p] = v
	}
	return nil
}

// line sets the line of the log, which must describe the same hand.
func (r *PHHReader) line(h *Hand, f *phhFields) error {
	for _, key := range []struct {
		name  string
		lines []string
	}{{"_acpc_before", f.Before}, {"_acpc_after", f.After}, {"_acpc_line", []string{f.Line}}} {
		for i, line := range key.lines {
			if strings.Contains(line, "\n") || key.name != "_acpc_line" && !isBetweenHands(line) {
				return &keyError{key.name, i, fmt.Errorf("%q is not such a line of a log", line)}
			}
		}
	}
	if f.Line == "" {
		return nil
	}
	logged, err := ParseLog(h.Game(), strings.TrimSuffix(f.Line, "\r"))
	if err != nil {
		return keyErrorf("_acpc_line", "%w", err)
	}
	if string(logged.State.Append(nil)) != string(h.State.Append(nil)) || !slices.Equal(logged.Names, h.Names) {
		return keyErrorf("_acpc_line", "another hand than that of actions")
	}
	h.Line, h.Values = f.Line, logged.Values
	return nil
}
