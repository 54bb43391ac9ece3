package wire

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sorted(d Direction) []string { return slices.Sorted(maps.Keys(d)) }

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, frame string
		id          uint64
		want        Message
		err         string // part of it
	}{
		{"a message", `{"type":"play","id":7,"game":"g","turn":2,"move":"a1"}`, 7,
			&Play{Game: "g", Turn: 2, Move: "a1"}, ""},
		{"an unknown field", `{"type":"watch","game":"g","colour":{"deep":[1]}}`, 0, &Watch{Game: "g"}, ""},
		{"no fields", `{"type":"resign"}`, 0, &Resign{}, ""},
		{"blanks", " \n{\"type\":\"resign\"}\r\n", 0, &Resign{}, ""},
		{"an unknown type", `{"type":"castle","id":3}`, 3, nil, `unknown type "castle"`},
		{"a server's message", `{"type":"pong","id":3}`, 3, nil, `unknown type "pong"`},
		{"no type", `{"id":3}`, 3, nil, `unknown type ""`},
		{"a field of a wrong kind", `{"type":"play","id":4,"turn":"two"}`, 4, nil, `play: "turn" cannot be a string`},
		{"a broken turn", `{"type":"play","id":4,"turn":1.5}`, 4, nil, `play: "turn" cannot be a number 1.5`},
		{"a huge turn", `{"type":"play","id":4,"turn":99999999999999999999}`, 4, nil, `"turn" cannot be`},
		{"a negative id", `{"type":"play","id":-4}`, 0, nil, `"id" cannot be`},
		{"an array", `[]`, 0, nil, "not a JSON object"},
		{"null", `null`, 0, nil, "not a JSON object"},
		{"nothing", ``, 0, nil, "not a JSON object"},
		{"half a message", `{"type":"play"`, 0, nil, "unexpected end"},
		{"two messages", `{"type":"resign"}{"type":"resign"}`, 0, nil, "after top-level value"},
		{"no UTF-8", "{\"type\":\"chat\",\"text\":\"\xff\"}", 0, nil, "UTF-8"},
		{"too deep", `{"type":"challenge","options":` + strings.Repeat("[", 20000) + `}`, 0, nil, "exceeded max depth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id, m, err := FromClient.Decode([]byte(c.frame))
			if id != c.id {
				t.Errorf("id %d, want %d", id, c.id)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(m, c.want) {
				t.Errorf("%+v, %v, want %+v", m, err, c.want)
			}
		})
	}
	if _, _, err := FromClient.Decode([]byte(`{"type":"x"}`)); !errors.Is(err, ErrType) {
		t.Errorf("%v is not ErrType", err)
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		id   uint64
		m    Message
		want string
	}{
		{3, Resign{Game: "g"}, `{"type":"resign","id":3,"game":"g"}`},
		{0, &Ack{}, `{"type":"ack"}`},
		{1, &Ack{}, `{"type":"ack","id":1}`},
	} {
		if got, err := Encode(c.id, c.m); err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
}

// What can be read can be written, and reads the same again.
func FuzzDecode(f *testing.F) {
	for _, frame := range []string{
		`{"type":"hello","version":1,"token":"t"}`,
		`{"type":"challenge","rules":"nim","options":{"heaps":[1,2]},"clock":{"main":1}}`,
		`{"type":"moved","moves":[{"turn":1,"seat":0,"move":"a1"}]}`,
		`{"type":"game","game":"g","result":{"winner":-1,"score":[0.5,0.5]}}`,
		`{"type":"analysis","moves":[{"move":"a","value":1e308}]}`,
		`{"type":"said","from":"<script>","text":"\u2028"}`, `{"type":null}`, `{"type":"play","turn":1e3}`,
	} {
		f.Add([]byte(frame))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, d := range []Direction{FromClient, FromServer} {
			id, m, err := d.Decode(frame)
			if err != nil {
				continue
			}
			text, err := Encode(id, m)
			if err != nil {
				t.Fatalf("%q cannot be written: %v", frame, err)
			}
			id2, m2, err := d.Decode(text)
			if err != nil {
				t.Fatalf("%q, written as %q, cannot be read: %v", frame, text, err)
			}
			text2, err := Encode(id2, m2)
			if err != nil || string(text) != string(text2) {
				t.Fatalf("%q became %q, then %q (%v)", frame, text, text2, err)
			}
		}
	})
}
