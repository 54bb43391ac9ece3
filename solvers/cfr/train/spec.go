package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/policy"
)

// Spec describes a training: all that its results depend on.
type Spec struct {
	policy.GameSpec
	// Algorithm is by default dcfr, or external for card abstractions over which
	// vector algorithms are not possible.
	Algorithm Algorithm
	Seed      uint64 // random seed of algorithms that sample
	// Tree, if not nil, is the game, instead of one of poker. Its default algorithm is sapcfr+.
	Tree *Tree
	// Opponent is the card abstraction of the opponent against which a player learns, or "" for the
	// same one. Only public chance sampling with buckets takes another one.
	Opponent string
}

// Size returns the size of the game for the algorithm, of those in vector form for the ones that
// use the least memory. Those of package pcs have their batch counted where cards have buckets, and
// that of package cfrbr its board; the batches of deals take more.
func (s Spec) Size() (policy.Size, error) {
	s, err := s.complete()
	if err != nil {
		return policy.Size{}, err
	}
	a := s.Algorithm
	if a.IsVector() {
		return cfr.Measure(s.GameSpec, 0)
	}
	size, err := cfr.Measure(s.GameSpec, a.bits())
	if _, noKind := abstraction.ParseKind(s.Cards); err != nil || !size.Shape.Complete ||
		!a.is(bestResponse) && (noKind == nil || !a.is(publicChance)) {
		return size, err
	}
	var opponent policy.Buckets
	if s.Opponent != "" {
		of, err := cfr.Measure(s.opponent(), a.bits())
		if err != nil {
			return size, err
		}
		opponent = counted(of.Buckets)
	}
	b, err := newBoards(a, policy.NewIndex(betting.NewTree(s.Game, size.Shape), counted(size.Buckets)), opponent)
	if err != nil {
		return size, err
	}
	size.Bytes = size.IndexBytes + b.trees + b.bytes(0)
	if onDevice := b.bytes(1); onDevice != b.bytes(0) {
		size.DeviceBytes = onDevice
	}
	return size, nil
}

// complete returns the specification with an algorithm, or an error of type [*Error] if that does not train with these
// abstractions.
func (s Spec) complete() (Spec, error) {
	switch {
	case s.Algorithm.entry != nil:
	case s.Tree != nil:
		s.Algorithm = mustParse(defaultTreeAlgorithm)
	default:
		s.Algorithm = defaultAlgorithm(s.Cards, s.Actions)
	}
	return s, s.check()
}

// check returns an error if the algorithm does not train with these abstractions.
func (s Spec) check() error {
	a := s.Algorithm
	if s.Tree != nil {
		return a.checkTree()
	}
	refuse := func(f Field, why, want string) error { return &Error{f, fmt.Errorf("%v %s: want %s", a, why, want)} }
	if err := checkCards(s.Cards); err != nil && s.Buckets == nil {
		return about(FieldCards, err)
	}
	if err := checkCards(s.Opponent); err != nil && s.Opponent != "" {
		return about(FieldOpponent, err)
	}
	_, noKind := abstraction.ParseKind(s.Cards)
	switch {
	case noKind != nil && a.IsVector():
		_, sampling := Names()
		why := fmt.Sprintf("goes through all cards at once, which is not possible with %s cards", s.Cards)
		return refuse(FieldAlgorithm, why, "one of "+strings.Join(sampling, ", "))
	case s.Actions.IsForgetful() && !a.is(sampling):
		return refuse(FieldAlgorithm, "does not train strategies that forget betting", "external or another sampling")
	case s.Opponent != "" && !a.is(publicChance):
		return refuse(FieldOpponent, "has one card abstraction for both players", pcs.LinearName+" or "+pcs.PlusName)
	case s.Actions.HasOpponent() && !a.is(publicChance) && !a.is(bestResponse):
		return refuse(FieldOpponentActions, "has one betting tree for both players",
			pcs.LinearName+", "+pcs.PlusName+" or "+cfrbr.Name)
	}
	return nil
}

// checkCards returns an error if no card abstraction has a name. It does not look for files.
func checkCards(name string) error {
	_, err := abstraction.ParseKind(name)
	if err == nil || abstraction.IsEHS(name) || name == abstraction.BoardlessName || buckets.IsFile(name) {
		return nil
	}
	return err
}

// opponent returns the game with the opponent's card abstraction.
func (s Spec) opponent() policy.GameSpec {
	s.GameSpec.Cards = s.Opponent
	return s.GameSpec
}

// Name returns the name of the game.
func (s Spec) Name() string {
	if s.Tree != nil {
		return s.Tree.Name()
	}
	return s.Game.Name
}

// Players returns how many play the game.
func (s Spec) Players() int {
	if s.Tree != nil {
		return len(s.Tree.Players)
	}
	return s.Game.NumPlayers
}

// Unit returns in which unit curves are written, and what a chip or a payoff of 1 is in it. The unit is "mb", or ""
// for extensive games. It is an error if a game of poker has no blinds.
func (s Spec) Unit() (unit string, one float64, err error) {
	switch {
	case s.Tree != nil:
		return "", 1, nil
	case s.Game.MaxBlind() == 0:
		return "", 1, fmt.Errorf("its figures are in mb, and %s has no blinds", s.Game.Name)
	}
	return "mb", 1000 / float64(s.Game.MaxBlind()), nil
}

// largest returns an amount of the order of what is at stake.
func (s Spec) largest() float64 {
	if s.Tree != nil {
		return s.Tree.largest()
	}
	return float64(s.Game.MaxBlind())
}

// Actions returns the action abstraction to train a game with: for limit games all
// raises, and for no-limit games those of a text (see [betting.ParseActions]), by
// default [betting.FCPA]. Errors are of type [*Error].
func Actions(g *acpc.Game, text string) (betting.Actions, error) {
	noLimit := g.Betting == acpc.NoLimit
	switch {
	case text == "" && noLimit:
		return betting.FCPA, nil
	case text == "":
		return betting.Actions{}, nil
	}
	a, err := betting.ParseActions(text)
	switch {
	case noLimit && err == nil:
		err = a.Check(g)
	case !noLimit && (err != nil || !a.All()):
		err = fmt.Errorf("%s is a limit game, which is trained with all raises", g.Name)
	}
	return a, about(FieldActions, err)
}

// Description is a training in words, as the flags of a command and settings have it. The texts
// have no default but those that are said here.
type Description struct {
	Algorithm string // see [ParseAlgorithm]; "" is that of the game
	Bits      int    // bits of a number in memory, 16 or 32; 0 is what Algorithm says
	Cards     string // see [policy.GameSpec]
	Actions   string // see [Actions]
	// Forget is "", "betting" to forget how that of earlier rounds went, or "dead-money" to forget who put in the chips
	// of folded players, too.
	Forget string
	// OpponentCards and OpponentActions are those of the opponent against which a player learns;
	// "" are the player's own.
	OpponentCards, OpponentActions string
	Seed                           uint64
}

// Spec returns the training of a game. Errors in the description are of type [*Error]. Files of
// buckets are not read yet.
func (d Description) Spec(g *acpc.Game) (s Spec, err error) {
	s.Game, s.Cards, s.Opponent, s.Seed = g, d.Cards, d.OpponentCards, d.Seed
	if s.Actions, err = Actions(g, d.Actions); err != nil {
		return s, err
	}
	if d.OpponentActions != "" {
		opponent, err := Actions(g, d.OpponentActions)
		if err == nil {
			s.Actions, err = s.Actions.Against(opponent)
		}
		if err != nil {
			return s, &Error{FieldOpponentActions, err}
		}
	}
	switch d.Forget {
	case "":
	case "betting":
		s.Actions = s.Actions.Forgetful()
	case "dead-money":
		s.Actions = s.Actions.DeadMoney()
	default:
		return s, &Error{FieldForget, fmt.Errorf("%q is neither betting nor dead-money", d.Forget)}
	}
	return d.train(s)
}

// train adds the algorithm to a training of a game, the default one where none is named.
func (d Description) train(s Spec) (_ Spec, err error) {
	if d.Algorithm != "" {
		if s.Algorithm, err = ParseAlgorithm(d.Algorithm); err != nil {
			return s, err
		}
	}
	if s, err = s.complete(); err != nil || s.Tree != nil {
		return s, err
	}
	switch d.Bits {
	case 0, 32:
	case 16:
		s.Algorithm, err = s.Algorithm.halved()
	case 64:
		err = errors.New("64 bits went with 0.3.0 (the last commit with them is 5b68c516)")
	default:
		err = fmt.Errorf("%d is neither 16 nor 32", d.Bits)
	}
	return s, about(FieldStorage, err)
}

// TreeSpec returns the training of an extensive game. Errors are of type [*Error]; what is for cards and raises is one.
func (d Description) TreeSpec(t *Tree) (Spec, error) {
	s, err := d.train(Spec{Tree: t, Seed: d.Seed})
	if err == nil && d.Bits == 16 {
		err = &Error{FieldStorage, errors.New("extensive games are trained in 64 bits")}
	}
	return s, cmp.Or(err, t.refuse(FieldOpponent, d.OpponentCards != ""),
		t.refuse(FieldOpponentActions, d.OpponentActions != ""), t.refuse(FieldActions, d.Actions != ""),
		t.refuse(FieldForget, d.Forget != ""),
		t.refuse(FieldCards, d.Cards != "" && d.Cards != abstraction.Lossless.String()))
}

// refuse returns an error for a field that is for games of poker, if it is set.
func (t *Tree) refuse(f Field, set bool) error {
	if !set {
		return nil
	}
	return &Error{f, fmt.Errorf("is for games of poker, and %s is an extensive game", t.Name())}
}

// ParseTarget returns the exploitability in chips that a text gives in chips, or in thousandths of the
// largest blind with the suffix mb. For an extensive game g is nil, and both are in payoffs. Errors are of type
// [*Error].
func ParseTarget(g *acpc.Game, text string) (float64, error) {
	number, mb := strings.CutSuffix(text, "mb")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	bad := err != nil || !(x > 0) || math.IsInf(x, 1)
	switch {
	case g == nil && (mb || bad):
		err = fmt.Errorf("%q is not a positive payoff, such as 0.001", text)
	case bad:
		err = fmt.Errorf("%q is not a positive number of chips, such as 0.001, or of mb, such as 5mb", text)
	case mb && g.MaxBlind() == 0:
		err = fmt.Errorf("%s has no blinds, and so no mb: give chips, such as 0.001", g.Name)
	case mb:
		return x * (float64(g.MaxBlind()) / 1000), nil
	default:
		return x, nil
	}
	return 0, about(FieldTarget, err)
}
