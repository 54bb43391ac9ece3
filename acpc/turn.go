package acpc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Choice is an action as poker players speak of it: To are the chips that the player has put in in the round after a
// bet or raise, 0 for other actions.
type Choice struct {
	Type ActionType
	To   int32
}

// A Turn is what a player has to decide, for [Turn.Read]. Chips but those of the pot are of the round.
type Turn struct {
	Pot         int64    // chips in the middle, with those of the round
	Own, Bet    int32    // what the player has put in, and the most that anybody has
	Least, Most int32    // between which a bet or raise may be; 0 if there is none
	AllIn       int32    // what the player has put in after going all-in
	Choices     []Choice // if there are no others
}

// TurnHelp says what [Turn.Read] reads, for people.
const TurnHelp = `  f folds, c calls or checks, k or x checks, a goes all-in
  r 600 or b 600 raises or bets to 600 chips of this round, 1/2 pot or 50% by that
  part of the pot, and r or b alone where only one raise or bet is possible`

var stepPattern = regexp.MustCompile(`(?i)((bet|raise to|raise|b|r) *)?([\d.½]+(/[\d.]+)? *)?pot|all-in|[^ /-]+`)

// Steps splits a line of choices, each as [Turn.Read] reads it, at blanks, slashes and hyphens. Parts of the pot, as
// 1/2 pot, and all-in stay whole.
func Steps(line string) []string { return stepPattern.FindAllString(line, -1) }

// Turn returns what the position to act has to decide.
func (s *State) Turn() Turn {
	pot, p := s.Pot(), s.Actor()
	t := Turn{
		Pot: pot.Chips(), Own: s.InRound(s.spent[p]), Bet: s.InRound(s.maxSpent), AllIn: s.InRound(s.game.Stack[p]),
	}
	if low, high, ok := s.RaiseBounds(); ok {
		t.Least, t.Most = s.Choice(Action{Raise, low}).To, s.Choice(Action{Raise, high}).To
	}
	return t
}

// Choice returns an action of the position to act in chips of the round.
func (s *State) Choice(a Action) Choice {
	switch {
	case a.Type != Raise:
		return Choice{Type: a.Type}
	case s.game.Betting == Limit:
		return Choice{Raise, s.InRound(s.limitRaiseTo(s.Actor()))}
	}
	return Choice{Raise, s.InRound(a.Size)}
}

// Action is the inverse of [State.Choice].
func (s *State) Action(c Choice) Action {
	if c.Type != Raise || s.game.Betting == Limit {
		return Action{Type: c.Type}
	}
	return Action{Raise, s.maxSpent - s.InRound(s.maxSpent) + c.To}
}

// Text returns a choice as [Turn.Read] reads it: f, x, c, or b or r and the chips of the round.
func (t *Turn) Text(c Choice) string {
	letter := t.Name(c)[:1]
	switch {
	case c.Type == Raise:
		return letter + strconv.Itoa(int(c.To))
	case c.Type == Call && t.Own == t.Bet:
		return "x"
	}
	return letter
}

// Name returns a choice in the words of poker players, see [State.Describe].
func (t *Turn) Name(c Choice) string {
	to, words := c.To, "raise to "+strconv.Itoa(int(c.To))
	switch {
	case c.Type == Fold:
		return "fold"
	case c.Type == Call && t.Own == t.Bet:
		return "check"
	case c.Type == Call:
		to = min(t.Bet, t.AllIn)
		words = "call " + strconv.Itoa(int(to-t.Own))
	case t.Bet == 0:
		words = "bet " + strconv.Itoa(int(to))
	}
	if to == t.AllIn {
		words += " all-in"
	}
	return words
}

// Read reads a choice as a person types it, see [TurnHelp], or as [Turn.Name] names it. A part of the pot is one of the
// pot after a call.
func (t *Turn) Read(typed string) (c Choice, err error) {
	squeeze := func(s string) string {
		return strings.ReplaceAll(strings.ToLower(strings.Join(strings.Fields(s), "")), "all-in", "a")
	}
	text := squeeze(typed)
	amount := strings.TrimLeft(strings.TrimSuffix(text, "pot"), "abcdefghijklmnopqrstuvwxyz")
	word, pot := strings.CutSuffix(text, "pot")
	word = word[:len(word)-len(amount)]
	switch {
	case text == "f" || text == "fold":
		c.Type = Fold
	case text == "c" || text == "call" || text == squeeze(t.Name(Choice{Type: Call})):
		c.Type = Call
	case text == "x" || text == "k" || text == "check":
		if c.Type = Call; t.Own != t.Bet {
			return c, fmt.Errorf("%s: there is a bet, which c calls", typed)
		}
	case text == "a" || text == "allin" || text == squeeze(t.Name(Choice{Raise, t.AllIn})):
		if c = (Choice{Raise, t.AllIn}); t.AllIn != t.Most {
			return c, fmt.Errorf("%s: no raise goes all-in now", typed)
		}
	case !slices.Contains([]string{"", "b", "bet", "r", "raise", "raiseto"}, word),
		word == "" && !pot && !strings.ContainsAny(text, "%/½"):
		return c, fmt.Errorf("%q is not an action; ? lists them", typed)
	default:
		if c, err = t.raise(amount, pot); err != nil {
			return c, fmt.Errorf("%s: %w", typed, err)
		}
	}
	if t.Choices != nil && !slices.Contains(t.Choices, c) {
		var possible []string
		for _, c := range t.Choices {
			possible = append(possible, t.Text(c))
		}
		return c, fmt.Errorf("%q is not possible; possible: %s", typed, strings.Join(possible, ", "))
	}
	return c, nil
}

var errAmount = errors.New("want whole chips of this round, or a part of the pot, as in r 600 and 1/2 pot")

// Pick returns the number of the choice that a person types as in [Turn.Read], or by its number from 1 on.
func (t *Turn) Pick(typed string) (int, error) {
	if n, err := strconv.Atoi(strings.TrimSpace(typed)); err == nil && n >= 1 && n <= len(t.Choices) {
		return n - 1, nil
	}
	c, err := t.Read(typed)
	return slices.Index(t.Choices, c), err
}

// raise reads the amount of a bet or raise, in chips or, also by a word, as a part of the pot.
func (t *Turn) raise(amount string, ofPot bool) (Choice, error) {
	to := float64(t.Least)
	switch text, percent := strings.CutSuffix(amount, "%"); {
	case t.Most == 0:
		return Choice{}, errors.New("no raise is allowed now")
	case amount != "" || ofPot:
		above, below, fraction := strings.Cut(strings.ReplaceAll(cmp.Or(text, "1"), "½", ".5"), "/")
		x, err := strconv.ParseFloat(above, 64)
		y, err2 := strconv.ParseFloat(cmp.Or(below, "1"), 64)
		if percent {
			y *= 100
		}
		if to = x; ofPot || percent || fraction || strings.Contains(text, "½") {
			to = float64(t.Bet) + math.Round(x/y*float64(t.Pot+int64(t.Bet-t.Own)))
			to = min(to, float64(t.AllIn))
		}
		if err != nil || err2 != nil || !(x > 0 && y > 0) || to != math.Trunc(to) {
			return Choice{}, errAmount
		}
	case t.Least < t.Most:
		return Choice{}, errAmount
	}
	if !(to >= float64(t.Least) && to <= float64(t.Most)) {
		return Choice{}, fmt.Errorf("%.0f is not from %d to %d", to, t.Least, t.Most)
	}
	return Choice{Raise, int32(to)}, nil
}
