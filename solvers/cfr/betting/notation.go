package betting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// The words of the notation.
const (
	everyRaise = "all"
	// forgetfulPart is the last part of a forgetful abstraction.
	forgetfulPart = "forgetful"
	// deadMoneyPart is that of one that also forgets who put in dead money.
	deadMoneyPart = "forgetful, dead money"
	noRaise       = "-" // a menu without raises
	minRaise      = "min"
	allInRaise    = "a"
	// against separates the raises of a player from those of its opponents.
	against = " against "
)

// RoundNames are the names of the rounds of hold'em, which the notation uses in all games.
var RoundNames = [acpc.MaxRounds]string{"preflop", "flop", "turn", "river"}

// letters are the fractions of the pot that may be written as a letter.
var letters = []letter{{"h", .5}, {"p", 1}}

type letter struct {
	letter   string
	fraction float64
}

// suffixes end the numbers of sizes.
var suffixes = map[unit]string{bigBlinds: "bb", ofBet: "x"}

// maxSizes bounds the sizes of a menu, and the menus of a schedule.
const maxSizes = 100

// allPlayers and allRounds select the whole of [menus].
const (
	allPlayers = 1<<(acpc.MaxPlayers+1) - 1
	allRounds  = 1<<acpc.MaxRounds - 1
)

// set sets a schedule for the players and the rounds whose bits are set.
func (a *Actions) set(players, rounds uint, s schedule) {
	if a.menus == nil {
		a.menus = new(menus)
	}
	for p := range a.menus {
		for r := range a.menus[p] {
			if players>>p&1 != 0 && rounds>>r&1 != 0 {
				a.menus[p][r] = s
			}
		}
	}
}

// ParseActions parses an action abstraction. "all" is every legal raise. Otherwise a text has
// parts that are separated by semicolons, such as
//
//	0.5,1,a; flop: 0.33,0.75,a/1,a; p2 turn river: min,3x,1,a/a/-
//
// A part begins with the rounds (preflop, flop, turn, river) and the players (p1 is the one in
// position 1) that it is for, by default all, and replaces what parts before it say of them.
// Then follow the menus for the first bet of the round, the first raise after it, and so on;
// the last one is for all further raises. A menu lists
//
//	0.75  a fraction of the pot as it is after calling; h is 0.5, p is 1
//	3x    a raise to a multiple of the bet in this round, where there is none of the big blind
//	2.5bb a raise to big blinds in this round
//	min   the smallest legal raise
//	a     all-in
//
// or is -, no raise. Raises below the smallest legal one become that, those above the stack
// become all-in. A menu may name f and c, fold and call, which are always included. One of
// letters only needs no commas, as in fcpa. A last part "forgetful" makes the abstraction
// forgetful, see [Actions.Forgetful], and
// "forgetful, dead money" as in [Actions.DeadMoney].
func ParseActions(text string) (Actions, error) {
	var a Actions
	parts := strings.Split(text, ";")
	if last := len(parts) - 1; last > 0 {
		switch strings.TrimSpace(parts[last]) {
		case forgetfulPart:
			a.forgetful, parts = true, parts[:last]
		case deadMoneyPart:
			a.forgetful, a.deadMoney, parts = true, true, parts[:last]
		}
	}
	if len(parts) == 1 && parts[0] == everyRaise {
		return a, nil
	}
	for _, part := range parts {
		if err := a.parsePart(part); err != nil {
			return Actions{}, fmt.Errorf("actions %q: %w", text, err)
		}
	}
	if !a.raises() {
		return Actions{}, fmt.Errorf("actions %q: want at least one raise", text)
	}
	return a, nil
}

func (a *Actions) parsePart(part string) error {
	players, forRounds := uint(allPlayers), uint(allRounds)
	scope, list, scoped := strings.Cut(part, ":")
	if scoped {
		var err error
		if players, forRounds, err = parseScope(scope); err != nil {
			return err
		}
	} else {
		list = part
	}
	var s schedule
	for text := range strings.SplitSeq(list, "/") {
		m, err := parseMenu(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		if s = append(s, m); len(s) > maxSizes {
			return fmt.Errorf("over %d menus after each other", maxSizes)
		}
	}
	a.set(players, forRounds, s)
	return nil
}

// raises reports whether the abstraction has any.
func (a Actions) raises() bool {
	for _, player := range a.menus {
		for _, s := range player {
			if slices.ContainsFunc(s, func(m menu) bool { return len(m) > 0 }) {
				return true
			}
		}
	}
	return false
}

// parseScope returns the players and the rounds that a part is for, as bits.
func parseScope(scope string) (players, forRounds uint, err error) {
	words := strings.FieldsFunc(scope, func(c rune) bool { return c == ' ' || c == ',' })
	if len(words) == 0 {
		return 0, 0, fmt.Errorf("no round and no player before a colon")
	}
	for _, word := range words {
		bits, bit := &forRounds, slices.Index(RoundNames[:], word)
		if number, ok := strings.CutPrefix(word, "p"); bit < 0 && ok {
			n, err := strconv.Atoi(number)
			if err == nil && n >= 1 && n <= acpc.MaxPlayers && strconv.Itoa(n) == number {
				bits, bit = &players, n-1
			}
		}
		switch {
		case bit < 0:
			return 0, 0, fmt.Errorf("%q is neither a round (%s) nor a player such as p1", word,
				strings.Join(RoundNames[:], ", "))
		case *bits>>bit&1 != 0:
			return 0, 0, fmt.Errorf("%q occurs twice", word)
		}
		*bits |= 1 << bit
	}
	return cmp.Or(players, allPlayers), cmp.Or(forRounds, allRounds), nil
}

// parseMenu parses a menu without the blanks around it.
func parseMenu(text string) (menu, error) {
	switch text {
	case noRaise:
		return nil, nil
	case "":
		return nil, fmt.Errorf("want at least one raise, or %s for none", noRaise)
	}
	separator := ","
	if !strings.Contains(text, separator) && strings.IndexAny(text, "fchpa") == 0 {
		separator = "" // only letters
	}
	var m menu
	seen := make(map[string]bool)
	for item := range strings.SplitSeq(text, separator) {
		item = strings.TrimSpace(item)
		if item == "f" || item == "c" {
			if seen[item] {
				return nil, fmt.Errorf("%q occurs twice", item)
			}
			seen[item] = true
			continue
		}
		x, err := parseSize(item)
		if err != nil {
			return nil, err
		}
		if slices.Contains(m, x) {
			return nil, fmt.Errorf("%q occurs twice", item)
		}
		if m = append(m, x); len(m) > maxSizes {
			return nil, fmt.Errorf("over %d raises in a menu", maxSizes)
		}
	}
	switch {
	case seen["f"] != seen["c"]:
		return nil, fmt.Errorf("want both f and c, fold and call, or none of them in %q", text)
	case len(m) == 0:
		return nil, fmt.Errorf("want at least one raise, or %s for none, in %q", noRaise, text)
	}
	slices.SortFunc(m, compareSizes)
	return m, nil
}

// compareSizes orders the sizes of a menu.
func compareSizes(a, b size) int {
	return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.number, b.number))
}

func parseSize(text string) (size, error) {
	switch text {
	case minRaise:
		return size{unit: smallest}, nil
	case allInRaise:
		return size{unit: allIn}, nil
	}
	for _, l := range letters {
		if text == l.letter {
			return size{ofPot, l.fraction}, nil
		}
	}
	x, number := size{unit: ofPot}, text
	for unit, suffix := range suffixes {
		if n, ok := strings.CutSuffix(text, suffix); ok {
			x.unit, number = unit, n
		}
	}
	var err error
	x.number, err = strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !(x.number > 0) || math.IsInf(x.number, 0):
		return x, fmt.Errorf("%q is neither one of f, c, h, p, a nor a fraction of the pot such as 0.75, a multiple "+
			"of the bet such as 3x, big blinds such as 2.5bb or min", text)
	case x.unit == ofBet && x.number <= 1:
		return x, fmt.Errorf("%q is not a raise: a multiple of the bet must be above 1", text)
	}
	return x, nil
}

func (x size) String() string {
	switch x.unit {
	case smallest:
		return minRaise
	case allIn:
		return allInRaise
	}
	return strconv.FormatFloat(x.number, 'g', -1, 64) + suffixes[x.unit]
}

func (m menu) String() string {
	if len(m) == 0 {
		return noRaise
	}
	return m.list(nil)
}

// list formats a list of some items and the sizes.
func (m menu) list(items []string) string {
	for _, x := range m {
		items = append(items, x.String())
	}
	return strings.Join(items, ",")
}

// plain formats a menu that is a whole abstraction: with f and c, and in letters if all sizes
// have one.
func (m menu) plain() string {
	short := "fc"
	for _, x := range m {
		switch i := slices.IndexFunc(letters, func(l letter) bool { return x == size{ofPot, l.fraction} }); {
		case i >= 0:
			short += letters[i].letter
		case x.unit == allIn:
			short += allInRaise
		default:
			return m.list([]string{"f", "c"})
		}
	}
	return short
}

func (s schedule) String() string {
	var texts []string
	for _, m := range s {
		texts = append(texts, m.String())
	}
	return strings.Join(texts, "/")
}

func (s schedule) equal(t schedule) bool { return slices.EqualFunc(s, t, slices.Equal[menu]) }

// equal reports whether two players have the same schedules.
func (p *playerMenus) equal(q *playerMenus) bool {
	return slices.EqualFunc(p[:], q[:], schedule.equal)
}

// String formats the abstraction for ParseActions. Equal abstractions have equal
// strings.
func (a Actions) String() string {
	switch {
	case a.opponent != nil:
		own, opponent := a, Actions{menus: a.opponent}
		own.opponent = nil
		return own.String() + against + opponent.String()
	case a.deadMoney:
		return a.Remembering().String() + "; " + deadMoneyPart
	case a.forgetful:
		return a.Remembering().String() + "; " + forgetfulPart
	case a.All():
		return everyRaise
	}
	others := &a.menus[acpc.MaxPlayers]
	parts := others.parts("", new(playerMenus))
	named := 0 // bits of the players in the parts
	for p := range acpc.MaxPlayers {
		m := &a.menus[p]
		if named>>p&1 != 0 || m.equal(others) {
			continue
		}
		players := ""
		for q := p; q < acpc.MaxPlayers; q++ {
			if a.menus[q].equal(m) {
				named |= 1 << q
				players += fmt.Sprintf("p%d ", q+1)
			}
		}
		parts = append(parts, m.parts(players, others)...)
	}
	if s := others[0]; len(parts) == 1 && len(s) == 1 && parts[0] == s.String() {
		return s[0].plain()
	}
	return strings.Join(parts, "; ")
}

// parts formats the schedules that are not those of others, with one part for the rounds that
// have the same. Players precede the rounds.
func (p *playerMenus) parts(players string, others *playerMenus) (parts []string) {
	done := 0 // bits of rounds
	for r, s := range p {
		if done>>r&1 != 0 || s.equal(others[r]) {
			continue
		}
		scope, before := players, done
		for q := r; q < acpc.MaxRounds; q++ {
			if p[q].equal(s) && !p[q].equal(others[q]) {
				done |= 1 << q
				scope += RoundNames[q] + " "
			}
		}
		if done^before == allRounds {
			scope = players
		}
		if scope != "" {
			scope = strings.TrimSpace(scope) + ": "
		}
		parts = append(parts, scope+s.String())
	}
	return parts
}

// Meta returns the text that files store for the abstraction: "" for all raises, and "fcpa against
// 0.5,1,2,a" for those of a player, and of the opponents against which it is trained.
func (a Actions) Meta() string {
	if a.All() && !a.forgetful {
		return ""
	}
	return a.String()
}

// AbstractGame says which game an exploitability is of, for a text of [Actions.Meta]: "" if all raises are in it.
func AbstractGame(meta string) string {
	meta = strings.TrimSuffix(meta, "; "+forgetfulPart) // a best response forgets nothing
	meta = strings.TrimSuffix(meta, "; "+deadMoneyPart)
	if meta == "" || meta == "all" {
		return ""
	}
	return ", in the abstract game of the actions " + meta
}

// ParseMeta parses what Meta returns.
func ParseMeta(text string) (Actions, error) {
	if text == "" {
		return Actions{}, nil
	}
	own, opponent, found := strings.Cut(text, against)
	a, err := ParseActions(own)
	if err != nil || !found {
		return a, err
	}
	b, err := ParseActions(opponent)
	if err != nil {
		return Actions{}, err
	}
	return a.Against(b)
}

// Check returns an error if the abstraction lacks a decision of a game, or names a player that
// the game does not have. Rounds that it does not have are ignored.
func (a Actions) Check(g *acpc.Game) error {
	if a.opponent != nil {
		if err := (Actions{menus: a.opponent}).Check(g); err != nil {
			return err
		}
		a.opponent = nil // the errors are of the players' own raises
	}
	if a.All() {
		return nil
	}
	for p := range acpc.MaxPlayers {
		if p >= g.NumPlayers && !a.menus[p].equal(&a.menus[acpc.MaxPlayers]) {
			return fmt.Errorf("actions %q: %s has %d players, and no p%d", a, g.Name, g.NumPlayers, p+1)
		}
		for r := range g.NumRounds {
			if p < g.NumPlayers && a.menus[p][r] == nil {
				return fmt.Errorf("actions %q: there are no raises for p%d on the %s (%s if there are to be none)",
					a, p+1, RoundNames[r], noRaise)
			}
		}
	}
	return nil
}
