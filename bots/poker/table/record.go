package table

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/hexproto/wire"
)

// Record writes the finished hands as the reader of the game's state sees them: "log" as
// an ACPC dealer's log, with the score if the match is over, "phh" as a poker hand history,
// "txt" as the log, and "report" as a [Report] for a player. Cards that the reader has not
// seen are missing, and the log does not tell the seed, from which they would follow. There is no
// "log" where seats keep their stacks.
func (m *match) Record(format string, about *wire.Game) (string, bool) {
	names := make([]string, m.game.NumPlayers)
	for seat := range names {
		names[seat] = about.Seats[seat].Name
	}
	switch format {
	case "log", "txt":
		if m.stacks != nil && format == "log" {
			return "", false // a log has no stacks
		}
		text := fmt.Appendf(nil, acpc.LogTitle+"%s %s %d %s\n",
			about.Game, m.game.Name, m.options.Hands, acpc.NoSeed)
		for h := range m.finished {
			text = m.seenBy(&m.finished[h], about.You, names).AppendLog(text)
		}
		if about.Result != nil {
			text = append(acpc.AppendScore(text, about.Result.Score, names), '\n')
		}
		return string(text), true
	case "phh":
		var text []byte
		var w history.PHHWriter
		for h := range m.finished {
			var err error
			if text, err = w.Append(text, m.seenBy(&m.finished[h], about.You, names)); err != nil {
				return "", false
			}
		}
		return string(text), true
	case "report":
		return m.recordReport(about)
	}
	return "", false
}
