package history

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gamebots/acpc"
	"gamebots/acpc/card"

	"github.com/BurntSushi/toml"
)

// The variants of PHH that this package reads and writes.
const (
	variantFT   = "FT"
	variantNT   = "NT"
	variantACPC = "ACPC" // not a variant of the standard: the game is in _acpc_game
)

// PHHWriter writes the hands of a PHH file as its tables [1], [2] and so on.
type PHHWriter struct {
	hands int
	game  string // the definition that was written last
}

// Append appends the next hand of the file.
func (w *PHHWriter) Append(dst []byte, h *Hand) ([]byte, error) {
	before := len(dst)
	if w.hands > 0 {
		dst = append(dst, '\n')
	}
	dst = fmt.Appendf(dst, "[%d]\n", w.hands+1)
	dst, err := h.appendPHH(dst, &w.game)
	if err != nil {
		return dst[:before], err
	}
	w.hands++
	return dst, nil
}

// AppendPHH appends the hand as a file of its own, without a table header.
func (h *Hand) AppendPHH(dst []byte) ([]byte, error) {
	var none string
	return h.appendPHH(dst, &none)
}

func (h *Hand) appendPHH(dst []byte, lastGame *string) ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	for _, text := range slices.Concat(h.Names, h.Before, h.After, []string{h.Line}) {
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("%q is not UTF-8, which PHH has to be", text)
		}
	}
	g, steps := h.Game(), h.Steps()
	w := phhWriter{out: dst, hand: h}
	w.variant, w.first = holdem(g)
	if slices.ContainsFunc(steps, func(s Step) bool { return s.LowersBet }) {
		w.variant, w.first = variantACPC, 0
	}
	if h.Before != nil {
		w.field("_acpc_before", listOf(h.Before, quote))
	}
	w.field("variant", quote(w.variant))
	w.stakes(g)
	w.actions(steps)
	w.field("hand", strconv.FormatUint(uint64(h.HandID), 10))
	w.field("players", listOf(fromFirst(w.first, h.Names), quote))
	line := h.Line
	if !w.finishing(g) && line == "" && !h.showsAll() {
		line = string(h.appendResult(nil)) // where else would the values be?
	}
	if w.first != 0 {
		w.field("_acpc_first_position", strconv.Itoa(w.first))
	}
	if w.variant == variantACPC {
		if text := g.String(); text != *lastGame {
			*lastGame = text
			w.field("_acpc_game", `"""`+"\n"+text+`"""`)
		}
	}
	if line != "" {
		w.field("_acpc_line", quote(line))
	}
	if h.After != nil {
		w.field("_acpc_after", listOf(h.After, quote))
	}
	return w.out, nil
}

// phhWriter writes one hand.
type phhWriter struct {
	out     []byte
	hand    *Hand
	variant string
	first   int // the position that is p1
}

func (w *phhWriter) field(key, value string) { w.out = fmt.Appendf(w.out, "%s = %s\n", key, value) }

// holdem returns the PHH variant of a game and the position that is its player p1: the
// one who acts first after the flop.
func holdem(g *acpc.Game) (variant string, first int) {
	plain := g.NumSuits == 4 && g.NumRanks == 13 && g.NumHoleCards == 2 && g.NumRounds == 4 &&
		g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} && g.HandRanking == 0
	first = int(g.FirstPlayer[1])
	if !plain || int(g.FirstPlayer[2]) != first || int(g.FirstPlayer[3]) != first {
		return variantACPC, 0
	}
	blinds := fromFirst(first, g.Blind[:g.NumPlayers])
	opener, ok := openerOf(blinds)
	if !ok || (opener+first)%g.NumPlayers != int(g.FirstPlayer[0]) {
		return variantACPC, 0
	}
	switch {
	case g.Betting == acpc.NoLimit:
		return variantNT, first
	case g.RaiseSize[0] == g.RaiseSize[1] && g.RaiseSize[2] == g.RaiseSize[3]:
		return variantFT, first
	}
	return variantACPC, 0
}

// openerOf returns the player who acts first before the flop: the one after the largest
// blind. Equal blinds of all players are antes, and p1 acts first. If several but not
// all blinds are the largest, or one is negative, ok is false.
func openerOf(blinds []int32) (opener int, ok bool) {
	largest := slices.Max(blinds)
	if slices.Min(blinds) < 0 {
		return 0, false
	}
	at := slices.Index(blinds, largest)
	if slices.Contains(blinds[at+1:], largest) {
		return 0, slices.Min(blinds) == largest
	}
	return (at + 1) % len(blinds), true
}

// fromFirst reorders a list by position into the order of PHH's players.
func fromFirst[T any](first int, byPosition []T) []T {
	return slices.Concat(byPosition[first:], byPosition[:first])
}

// stakes writes antes, blinds, bet sizes and stacks.
func (w *phhWriter) stakes(g *acpc.Game) {
	n := g.NumPlayers
	antes, blinds := make([]int32, n), fromFirst(w.first, g.Blind[:n])
	if ante := g.Ante(); ante > 0 {
		antes, blinds = blinds, antes
	}
	if n == 2 && w.variant != variantACPC {
		slices.Reverse(blinds) // heads-up the format has the big blind first
	}
	w.field("antes", listOf(antes, chips))
	w.field("blinds_or_straddles", listOf(blinds, chips))
	switch w.variant {
	case variantFT:
		w.field("small_bet", strconv.Itoa(int(g.RaiseSize[0])))
		w.field("big_bet", strconv.Itoa(int(g.RaiseSize[2])))
	case variantNT:
		w.field("min_bet", strconv.Itoa(int(max(1, g.MaxBlind()))))
	}
	w.field("starting_stacks", listOf(fromFirst(w.first, g.Stack[:n]), func(stack int32) string {
		if stack == acpc.NoStackLimit {
			return "inf"
		}
		return chips(stack)
	}))
}

// finishing writes the stacks after the hand, unless PHH has no number for one of them, or none that the value
// of the log comes back from.
func (w *phhWriter) finishing(g *acpc.Game) bool {
	stacks := make([]float64, g.NumPlayers)
	for i, p := range w.positions() {
		if g.Stack[p] == acpc.NoStackLimit {
			return false
		}
		v := float64(g.Stack[p]) + w.hand.Values[p]
		if stacks[i] = v; v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
			return false
		}
		back := v - float64(g.Stack[p]) // 0 for -0, and less exact than a small value
		if !bytes.Equal(acpc.AppendValue(nil, back), acpc.AppendValue(nil, w.hand.Values[p])) {
			return false
		}
	}
	w.field("finishing_stacks", listOf(stacks, func(v float64) string {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}))
	return true
}

// positions returns the positions of p1, p2 and so on.
func (w *phhWriter) positions() []int {
	all := make([]int, w.hand.Game().NumPlayers)
	for p := range all {
		all[p] = p
	}
	return fromFirst(w.first, all)
}

func (w *phhWriter) player(position int) string {
	n := w.hand.Game().NumPlayers
	return "p" + strconv.Itoa((position-w.first+n)%n+1)
}

// actions writes the deal, the betting and the showdown. After an all-in the format has
// the showdown before the rest of the board.
func (w *phhWriter) actions(steps []Step) {
	h, g := w.hand, w.hand.Game()
	w.out = append(w.out, "actions = [\n"...)
	for _, p := range w.positions() {
		w.action("d dh " + w.player(p) + " " + cmp.Or(h.hole(p), strings.Repeat("??", g.NumHoleCards)))
	}
	w.board(0)
	round := 0
	for _, s := range steps {
		for round < s.Round {
			round++
			w.board(round)
		}
		text := w.player(s.Position) + [...]string{" f", " cc", " cbr "}[s.Action.Type]
		if s.Action.Type == acpc.Raise {
			text += strconv.Itoa(int(s.Bet))
		}
		w.action(text)
	}
	// Rounds without actions follow an all-in only.
	w.showdown(steps)
	for round < h.Round() {
		round++
		w.board(round)
	}
	w.out = append(w.out, "]\n"...)
}

func (w *phhWriter) action(text string) { w.out = fmt.Appendf(w.out, "  %q,\n", text) }

func (w *phhWriter) board(round int) {
	if dealt := w.hand.dealt(round); dealt != "" {
		w.action("d db " + dealt)
	}
}

// showdown writes the hands shown, beginning with the player who raised last.
func (w *phhWriter) showdown(steps []Step) {
	h, g := w.hand, w.hand.Game()
	if !h.AtShowdown() {
		return
	}
	first := int(g.FirstPlayer[0])
	if len(steps) > 0 {
		last := steps[len(steps)-1].Round
		first = int(g.FirstPlayer[last])
		for _, s := range steps {
			if s.Round == last && s.Action.Type == acpc.Raise {
				first = s.Position
			}
		}
	}
	for i := range g.NumPlayers {
		if p := (first + i) % g.NumPlayers; !h.Folded(p) && !h.Hidden[p] {
			w.action(w.player(p) + " sm " + h.hole(p))
		}
	}
}

// quote returns s as a string of TOML.
func quote(s string) string {
	special := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if !strings.ContainsFunc(s, special) {
		return `"` + s + `"` // nearly all, without the time that an encoder takes
	}
	var text strings.Builder
	if err := toml.NewEncoder(&text).Encode(struct{ S string }{s}); err != nil {
		panic(err) // a builder takes all, and any string is one of TOML
	}
	return strings.TrimSuffix(strings.TrimPrefix(text.String(), "S = "), "\n")
}

// listOf returns a list of values as TOML.
func listOf[T any](values []T, text func(T) string) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = text(v)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func chips(n int32) string { return strconv.Itoa(int(n)) }

func cardText(cards []card.Card) string {
	var text []byte
	for _, c := range cards {
		text = c.Append(text)
	}
	return string(text)
}
