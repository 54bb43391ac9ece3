package server_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"gamebots/hexproto/wire"

	"github.com/gorilla/websocket"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema of the docs accepts what the server carries out, and refuses the values of
// fields that the server refuses.
func TestSchemaIsAsStrictAsTheServer(t *testing.T) {
	text, err := os.Open("../../docs/hexproto.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	doc, err := jsonschema.UnmarshalJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("hexproto.json", doc); err != nil {
		t.Fatal(err)
	}
	compile := func(part string) *jsonschema.Schema {
		s, err := compiler.Compile("hexproto.json#/$defs/" + part)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ofClients, ofServers := compile("from%20client"), compile("from%20server")
	h := start(t, nil)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	id := sit(t, ada, bob, wire.Challenge{})
	frame := func(format string) string { return strings.ReplaceAll(format, "GAME", id) }
	long := strings.Repeat("é", 65)
	for _, c := range []struct {
		good string // carried out
		bad  []string
	}{
		{`{"type":"challenge","rules":"havannah","clock":{"main":1,"increment":0,"per_move":0},"seat":"random",` +
			`"tag":"` + long[2:] + `"}`, []string{
			`{"type":"challenge","rules":"havannah","clock":{"main":-1,"increment":0,"per_move":0}}`,
			`{"type":"challenge","rules":"havannah","clock":{"main":2678400001,"increment":0,"per_move":0}}`,
			`{"type":"challenge","rules":"havannah","clock":{"main":0,"increment":0,"per_move":-5}}`,
			`{"type":"challenge","rules":"havannah","clock":{"main":0,"increment":0,"per_move":0},"seat":"third"}`,
			`{"type":"challenge","rules":"havannah","clock":{"main":0,"increment":0,"per_move":0},"tag":"` + long +
				`"}`,
			`{"type":"challenge","rules":5,"clock":{"main":0,"increment":0,"per_move":0}}`,
		}},
		{`{"type":"play","game":"GAME","turn":0,"move":"a1"}`, []string{
			`{"type":"play","game":"GAME","turn":-1,"move":"a2"}`,
			`{"type":"play","game":"GAME","turn":"1","move":"a2"}`,
		}},
		{`{"type":"offer","game":"GAME","offer":"draw"}`,
			[]string{`{"type":"offer","game":"GAME","offer":"beer"}`, `{"type":"offer","game":"GAME","offer":""}`}},
		{`{"type":"chat","game":"GAME","text":"` + strings.Repeat("x", 400) + `"}`,
			[]string{`{"type":"chat","game":"GAME","text":["x"]}`}},
	} {
		for i, text := range append([]string{c.good}, c.bad...) {
			text = frame(text)
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			invalid := ofClients.Validate(v)
			ada.ids++
			ada.raw(websocket.TextMessage, []byte(fmt.Sprintf(`{"id":%d,%s`, ada.ids, text[1:])))
			answer, e := ada.answer(ada.ids)
			if good := i == 0; good != (invalid == nil) || good != (e == nil) {
				t.Errorf("%s: the schema says %v, the server %+v, %v", text, invalid, answer, e)
			}
		}
	}
	bob.must(&wire.Resign{Game: id})
	// All that was heard meanwhile is as the schema says.
	want[wire.Over](bob)
	for _, p := range []*peer{ada, bob} {
		for _, m := range append([]wire.Message{p.hello}, p.heard...) {
			text, err := wire.Encode(0, m)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			if err := ofServers.Validate(v); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}
