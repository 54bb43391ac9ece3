package slumbot

import (
	"regexp"

	"gamebots/acpc"
	"gamebots/bots/sites"
)

// token is an action as the server writes it, or the end of a round.
var token = regexp.MustCompile(`(?s)b\d*|.`)

// readHand reads the hand of an answer: over, or at a decision of the client.
func readHand(g *acpc.Game, id uint32, a *answer) (*sites.Hand, error) {
	if a.Position == nil || *a.Position != 0 && *a.Position != 1 {
		return nil, sites.Wrong("client_pos is neither 0 nor 1")
	}
	h, err := sites.ReadHand(g, id, *a.Position, token.FindAllString(a.Action, -1), "/")
	if err == nil {
		err = h.Deal(a.Hole, a.Board, a.OpponentHole)
	}
	if err == nil {
		err = h.CheckTurn(a.Winnings)
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}
