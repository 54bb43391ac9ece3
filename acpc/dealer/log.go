package dealer

import (
	"fmt"

	"gamebots/acpc"
)

// AppendHeader appends the log's first lines, which say what is played.
func (m *Match) AppendHeader(dst []byte) []byte {
	return fmt.Appendf(dst, titleStart+"%s %s %d %d\n"+
		"#--t_response %d\n#--t_hand %d\n#--t_per_hand %d\n",
		m.Name, m.GameFile, m.Hands, m.Seed,
		m.Limits.Response.Milliseconds(), m.Limits.Hand.Milliseconds(), m.Limits.PerHand.Milliseconds())
}

// AppendHand appends the log's line for a finished hand: all cards, and the
// values and names by position.
func (m *Match) AppendHand(dst []byte, s *acpc.State) []byte {
	var names [acpc.MaxPlayers]string
	n := m.Game.NumPlayers
	for p := range n {
		names[p] = m.Names[m.Seat(s.HandID, p)]
	}
	return append(s.AppendResult(dst, names[:n]), '\n')
}

// AppendScore appends the log's last line: the chips won and the names by seat.
func (m *Match) AppendScore(dst []byte, score []float64) []byte {
	return append(acpc.AppendScore(dst, score, m.Names), '\n')
}
