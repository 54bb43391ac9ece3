package history

import (
	"slices"

	"gamebots/acpc"
)

// gameOf returns the game that a hand is played by, in ACPC's positions.
func (r *PHHReader) gameOf(f *fields) (*acpc.Game, error) {
	if *f.Variant == otherGame {
		return r.otherGame(f)
	}
	if f.Game != "" {
		return nil, fail("_acpc_game", "of variant %q only", otherGame)
	}
	g := &acpc.Game{Name: "hold'em", NumRounds: 4, NumSuits: 4, NumRanks: 13, NumHoleCards: 2,
		NumBoardCards: [acpc.MaxRounds]uint8{0, 3, 1, 1}, UnderRaise: true}
	for i := range g.MaxRaises {
		g.MaxRaises[i] = acpc.NoRaiseLimit
	}
	switch *f.Variant {
	case fixedLimitHoldem:
		small, err := r.bet("small_bet", f.SmallBet)
		if err != nil {
			return nil, err
		}
		big, err := r.bet("big_bet", f.BigBet)
		if err != nil {
			return nil, err
		}
		g.RaiseSize = [acpc.MaxRounds]int32{small, small, big, big}
	case noLimitHoldem:
		g.Betting = acpc.NoLimit
		if _, err := r.bet("min_bet", f.MinBet); err != nil {
			return nil, err
		}
	default:
		return nil, fail("variant", "%q is not FT, NT or %s: no other game of the format can be played in a log", *f.Variant, otherGame)
	}
	n := len(f.Stacks)
	if n < 2 || n > acpc.MaxPlayers {
		return nil, fail("starting_stacks", "%d players, which are not 2 to %d", n, acpc.MaxPlayers)
	}
	g.NumPlayers = n
	if err := r.seats(g, f); err != nil {
		return nil, err
	}
	return g, nil
}

func (r *PHHReader) bet(key string, n number) (int32, error) {
	v, err := r.chips(key, n)
	if err == nil && v <= 0 {
		err = fail(key, "missing, or not more than 0")
	}
	return v, err
}

// seats puts blinds, stacks and who acts first into a game of hold'em.
func (r *PHHReader) seats(g *acpc.Game, f *fields) error {
	n := g.NumPlayers
	antes, err := r.amounts("antes", f.Antes, n)
	if err != nil {
		return err
	}
	blinds, err := r.amounts("blinds_or_straddles", f.Blinds, n)
	if err != nil {
		return err
	}
	if n == 2 {
		slices.Reverse(blinds) // as the format has them heads-up
	}
	if slices.Max(antes) > 0 {
		if slices.Max(blinds) > 0 || slices.Min(antes) != slices.Max(antes) {
			return fail("antes", "a log has either blinds or one ante of all")
		}
		blinds = antes
	}
	opener, ok := openerOf(blinds)
	if !ok {
		return fail("blinds_or_straddles", "%v do not say who acts first", blinds)
	}
	first := f.First
	if first < 0 || first >= n {
		first = 0 // told of later
	}
	for i, stack := range f.Stacks {
		p := (i + first) % n
		g.Blind[p] = blinds[i]
		g.Stack[p] = acpc.NoStackLimit
		if !(float64(stack) >= acpc.NoStackLimit) { // inf is one that is not known, nan none at all
			if g.Stack[p], err = r.chips("starting_stacks", stack); err != nil {
				return err
			}
		}
		if g.Stack[p] <= 0 {
			return fail("starting_stacks", "%v is not more than 0", float64(stack))
		}
		g.Blind[p] = min(g.Blind[p], g.Stack[p]) // all-in by it
	}
	g.FirstPlayer = [acpc.MaxRounds]uint8{uint8((opener + first) % n), uint8(first), uint8(first), uint8(first)}
	return nil
}

// otherGame returns the game of a hand that has its definition, or of the last
// hand that had.
func (r *PHHReader) otherGame(f *fields) (*acpc.Game, error) {
	if f.First != 0 {
		return nil, fail("_acpc_first_position", "of hold'em only")
	}
	if f.Game != "" {
		g, err := acpc.ParseGame("_acpc_game", f.Game)
		if err != nil {
			return nil, fail("_acpc_game", "%w", err)
		}
		// What has happened was allowed: short stacks may have lowered a bet.
		g.UnderRaise = true
		r.game = g
	}
	if r.game == nil {
		return nil, fail("_acpc_game", "missing in this hand and in those before it")
	}
	return r.game, nil
}
