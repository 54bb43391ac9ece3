package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"gamebots/acpc"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// DefaultHands is how many hands a match has unless its options say otherwise: about a
// quarter of an hour for a person, and a multiple of 2, 3, 4 and 6 seats.
const DefaultHands = 24

// MaxHands is how many hands a match may have. All of them are in every full state of the
// game, which a server writes while others wait.
const MaxHands = 200

// MaxSeats is how many players a table has at most.
const MaxSeats = 9

// Rules are matches of a poker game.
type Rules struct {
	Game  *acpc.Game // a game of two to MaxSeats players
	Title string
	// Advisors judge decisions by the strategies of bots, by their names.
	Advisors map[string]Advisor
	// Shuffle returns the shuffler of a match from its seed. It is nil except in tests: the
	// numbers of the original dealer can be foreseen by who has seen a few cards.
	Shuffle func(seed []byte) *acpc.Shuffler
}

var _ game.Dealer = Rules{}

// MinBuyIn and MaxBuyIn bound Options.BuyIn.
const (
	MinBuyIn = 50
	MaxBuyIn = 200
)

// Options are the options of a match.
type Options struct {
	Hands int `json:"hands"`
	// BuyIn is with how many big blinds each seat sits down to keep its chips from hand to hand, in no-limit games with
	// blinds. A seat with fewer than MinBuyIn before a hand buys in again. 0 begins every hand with full stacks.
	BuyIn int `json:"buy_in,omitempty"`
}

// most is the largest blind of games whose stacks are kept, so that all chips of a match fit into 32 bits.
const most = 1000

// keeps reports whether a match of the game may have a BuyIn.
func keeps(g *acpc.Game) bool {
	return g.Betting == acpc.NoLimit && g.Ante() == 0 && g.MaxBlind() <= most
}

// About describes the game.
func (r Rules) About() wire.Rules {
	about := wire.Rules{Name: r.Game.Name, Title: r.Title, Positions: r.Game.PositionNames(), Options: []wire.Option{
		{Name: "hands", Title: "Hands", Kind: "int", Default: json.RawMessage(fmt.Sprint(DefaultHands)), Min: 1,
			Max: MaxHands},
	}}
	if keeps(r.Game) {
		about.Options = append(about.Options, wire.Option{
			Name: "buy_in", Title: fmt.Sprintf("Buy-in, %d to %d big blinds; 0: full stacks", MinBuyIn, MaxBuyIn),
			Kind: "int", Default: json.RawMessage("0"), Max: MaxBuyIn,
		})
	}
	about.Methods = slices.Sorted(maps.Keys(r.Advisors))
	for seat := range r.Game.NumPlayers {
		about.Seats = append(about.Seats, fmt.Sprintf("seat %d", seat+1))
	}
	return about
}

// New returns a match that is not dealt, to check options.
func (r Rules) New(options json.RawMessage) (game.Game, error) {
	return r.Deal(options, make([]byte, game.SeedSize))
}

// Deal starts a match.
func (r Rules) Deal(options json.RawMessage, seed []byte) (game.Game, error) {
	if len(seed) != game.SeedSize {
		return nil, errors.New("the seed of the cards is missing")
	}
	o := Options{Hands: DefaultHands}
	if len(bytes.TrimSpace(options)) > 0 {
		d := json.NewDecoder(bytes.NewReader(options))
		d.DisallowUnknownFields()
		if err := d.Decode(&o); err != nil {
			return nil, fmt.Errorf("options: they are hands and buy_in, numbers: %w", err)
		}
	}
	if o.Hands < 1 || o.Hands > MaxHands {
		return nil, fmt.Errorf("hands: %d is not a number from 1 to %d", o.Hands, MaxHands)
	}
	if o.BuyIn != 0 && (o.BuyIn < MinBuyIn || o.BuyIn > MaxBuyIn || !keeps(r.Game)) {
		return nil, fmt.Errorf("buy_in: %d is not 0 or, in a no-limit game with blinds, from %d to %d",
			o.BuyIn, MinBuyIn, MaxBuyIn)
	}
	// Without the seed nobody can foresee the cards of this shuffler.
	shuffler := acpc.NewShufflerFrom(rand.New(rand.NewChaCha8([game.SeedSize]byte(seed))))
	if r.Shuffle != nil {
		shuffler = r.Shuffle(seed)
	}
	m := r.match(o, shuffler)
	if o.BuyIn > 0 {
		m.stacks = make([]int32, r.Game.NumPlayers)
	}
	m.deal()
	return m, nil
}

// match returns a match before its first hand.
func (r Rules) match(o Options, shuffler *acpc.Shuffler) *match {
	return &match{
		options: o, game: r.Game, advisors: r.Advisors, shuffler: shuffler, won: make([]float64, r.Game.NumPlayers),
	}
}
