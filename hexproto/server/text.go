package server

import (
	"encoding/json"
	"strings"
	"unicode"

	"gamebots/hexproto/wire"
)

// What others read of a person or a program: lines of chat, the words with which a challenge is declined, tags
// of games, and games that are options, with titles and names of actions of their own.

const (
	maxText  = 300 // characters that a text of a person, or of an error, may have
	maxMarks = 4   // marks above and below a letter, of which languages need fewer
)

// cleanText makes one line of printable characters of a text that a person wrote,
// and cuts it at maxText.
func cleanText(text string) string {
	return strings.TrimSpace(cut(visible(text)))
}

// cut cuts a text at maxText characters.
func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxText)])
}

// hidden are the characters that show nothing.
var hidden = unicode.Other_Default_Ignorable_Code_Point

// visible returns a text with spaces for the characters that control a terminal, turn the direction of text or
// show nothing, and without the marks that would cover other lines.
func visible(text string) string {
	marks := maxMarks // none before the first letter
	return strings.Map(func(r rune) rune {
		joins := r == 0x200c || r == 0x200d // joiners are in Persian and Hindi words, and in emoji
		switch {
		case joins || unicode.In(r, unicode.Mn, unicode.Me) && !unicode.Is(hidden, r):
			if marks++; marks > maxMarks {
				return -1
			}
			return r
		case r == 0x2800 || unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, hidden):
			r = ' '
		}
		if marks = 0; unicode.IsSpace(r) {
			marks = maxMarks
		}
		return r
	}, text)
}

// checkWords returns the refusal of words that others cannot read, and of those of a connection that is banned
// from chat, or nil. A challenge is declined without them.
func (s *Server) checkWords(c *conn, m wire.Message) *wire.Error {
	instead := ""
	switch m := m.(type) {
	case *wire.Chat, *wire.Analysis, *wire.Decline:
	case *wire.Challenge:
		var options map[string]any
		_ = json.Unmarshal(m.Options, &options) // the rules say what is wrong
		own := m.Tag != ""
		for _, v := range options {
			text, _ := v.(string)
			words := strings.Fields(text)
			if line := strings.Join(words, " "); visible(line) != line {
				return refusal(wire.Illegal, "", "an option has characters that cannot be seen")
			}
			own = own || len(words) > 1 // a single word is the name of something
		}
		if !own {
			return nil
		}
		instead = ": leave out the tag, and play a game that has a name"
	default:
		return nil
	}
	ban, banned := s.banned(c.account, c.address, true)
	if d, ok := m.(*wire.Decline); ok && banned {
		d.Text = ""
	} else if banned {
		return later(banRetry(ban), refusal(wire.Refused, gameOf(m), "you are %s%s", ban.Sentence(), instead))
	}
	return nil
}
