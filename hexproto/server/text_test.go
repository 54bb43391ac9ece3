package server_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/wire"
)

// silent opens a server with accounts, of which eve is banned from chat.
func silent(t *testing.T, names ...string) map[string]*peer {
	path := filepath.Join(t.TempDir(), "games.db")
	tokens := map[string]string{}
	for _, name := range names {
		tokens[name] = account(t, path, name)
	}
	if _, err := database.AddBan(t.Context(), path, database.Ban{Target: "eve", Chat: true}); err != nil {
		t.Fatal(err)
	}
	h := open(t, path, func(c *server.Config) { withMatrix(c); c.Open = false })
	peers := map[string]*peer{}
	for name, token := range tokens {
		peers[name] = enter(t, h, name, token)
	}
	return peers
}

// Who is banned from chat writes to nobody, whatever the message, and plays on.
func TestBannedWords(t *testing.T) {
	peers := silent(t, "ada", "eve")
	ada, eve := peers["ada"], peers["eve"]
	game, _ := json.Marshal(boards.MatrixOptions{Game: `NFG 1 R "YOU IDIOT" { "a" "b" } { 1 1 } 1 1`, Rounds: 1})
	for _, m := range []wire.Message{
		&wire.Chat{Text: "YOU IDIOT"}, &wire.Challenge{Rules: "havannah", To: "ada", Tag: "YOU-IDIOT"},
		&wire.Challenge{Rules: boards.MatrixName, To: "ada", Options: game},
		&wire.Challenge{Rules: "havannah", Tag: "YOU-IDIOT"},
	} {
		if e := eve.refused(m, wire.Refused); !strings.HasPrefix(e.Text, "you are banned from chat") || e.Retry <= 0 {
			t.Errorf("%+v: %+v", m, e)
		}
	}
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "eve", Tag: "mine"}).Challenge
	want[wire.Challenged](eve)
	eve.must(&wire.Decline{Challenge: id, Reason: "later", Text: "YOU IDIOT"})
	if c := want[wire.Closed](ada); c.Reason != "later" || c.Text != "" {
		t.Errorf("%+v", c)
	}
	eve.must(&wire.Challenge{Rules: boards.MatrixName, To: "ada", Options: json.RawMessage(`{"game":"shapley"}`)})
	sit(t, ada, eve, wire.Challenge{})
}

// Who mutes a player reads neither the words nor the tags of that player.
func TestMutedWords(t *testing.T) {
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	ada.send(&wire.Ignore{Name: "bob", How: wire.IgnoreChat})
	want[wire.Ignored](ada)
	id := ada.must(&wire.Challenge{Rules: "havannah", To: "bob", Tag: "mine"}).Challenge
	if c := want[wire.Challenged](bob); c.Tag != "mine" {
		t.Errorf("%+v", c)
	}
	bob.must(&wire.Decline{Challenge: id, Reason: "later", Text: "YOU IDIOT"})
	if c := want[wire.Closed](ada); c.Reason != "later" || c.Text != "" {
		t.Errorf("%+v", c)
	}
	want[wire.Closed](bob)
	bob.must(&wire.Challenge{Rules: "havannah", To: "ada", Tag: "YOU-IDIOT"})
	c := want[wire.Challenged](ada)
	ada.send(&wire.ViewChallenge{Challenge: c.Challenge})
	if asked := want[wire.Challenged](ada); c.Tag+asked.Tag != "" {
		t.Errorf("%+v, and when asked for %+v", c, asked)
	}
	again := ada.again(h)
	if c := want[wire.Challenged](again); c.Tag != "" {
		t.Errorf("at sign-in %+v", c)
	}
	bob.must(&wire.Cancel{Challenge: c.Challenge})
	if c := want[wire.Closed](again); c.Tag != "" {
		t.Errorf("in the end %+v", c)
	}
	if c := want[wire.Closed](bob); c.Tag != "YOU-IDIOT" {
		t.Errorf("%+v", c)
	}
}

// Lines, tags and games have characters that can be seen, and that stay in their line.
func TestVisibleWords(t *testing.T) {
	h := start(t, withMatrix)
	ada := join(t, h, "ada")
	ada.send(&wire.EnterLobby{On: true})
	zalgo := "i" + strings.Repeat("\u0335", 270)
	for _, c := range []struct{ text, want string }{
		{"good luck", "good luck"},
		{"Việt, नमस्ते, ไทย, שָׁלוֹם, می\u200cخواهم", "Việt, नमस्ते, ไทย, שָׁלוֹם, می\u200cخواهم"},
		{"日本　語, é, 👨\u200d👩\u200d👧, ☺️", "日本　語, é, 👨\u200d👩\u200d👧, ☺️"},
		{"a\u202eb\u2066c\u061cd\x00e\nf\x1bg\u0085h", "a b c d e f g h"},
		{"a\u200bb\u200fc\u2060d\ufeffe\ufff9f\U000e0041g\u3164h\u115fi\u00adj\u2800k", "a b c d e f g h i j k"},
		{zalgo, "i" + strings.Repeat("\u0335", 4)},
		{"\u0335\u0335a \u0335b", "a b"},
	} {
		ada.must(&wire.Chat{Text: c.text})
		if said := want[wire.Said](ada); said.Text != c.want {
			t.Errorf("%+q is said as %+q", c.text, said.Text)
		}
		title := strings.ReplaceAll(c.text, "\n", "\x00") // a game has lines
		options, _ := json.Marshal(boards.MatrixOptions{
			Game: "NFG 1 R \"" + title + "\"\n{ \"a\" \"b\" }\r\n\t{ 1 1 } 1 1", Rounds: 1})
		if c.text == c.want {
			ada.must(&wire.Challenge{Rules: "havannah", Tag: c.text})
			ada.must(&wire.Challenge{Rules: boards.MatrixName, Options: options})
			continue
		}
		ada.refused(&wire.Challenge{Rules: "havannah", Tag: c.text}, wire.BadMessage)
		ada.refused(&wire.Challenge{Rules: boards.MatrixName, Options: options}, wire.Illegal)
	}
	for _, empty := range []string{"\u3164\u3164", "\u200b", "\u2800 \u115f", "\u200d\ufe0f", " \u0335"} {
		ada.must(&wire.Chat{Text: empty})
	}
	hears(ada)
}
