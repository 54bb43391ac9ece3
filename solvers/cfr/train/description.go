package train

import "gamebots/acpc"

// Description is a training in words, as the flags of a command and settings have it. The texts
// have no default but those that are said here.
type Description struct {
	Algorithm string // see [ParseAlgorithm]; "" is that of the game
	Cards     string // see [policy.GameSpec]
	Actions   string // see [Actions]
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
	if d.Algorithm != "" {
		if s.Algorithm, err = ParseAlgorithm(d.Algorithm); err != nil {
			return s, err
		}
	}
	return s, s.withDefault().check()
}
