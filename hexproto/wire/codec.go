package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Version is the version of the protocol.
const Version = 1

// Message is a struct of this package that is a message, or a pointer to one.
type Message interface{ kind() string }

// Direction has the messages that one side sends, by their type.
type Direction map[string]reflect.Type

func direction(messages ...Message) Direction {
	d := Direction{}
	for _, m := range messages {
		d[m.kind()] = reflect.TypeOf(m)
	}
	return d
}

// Type returns the type of a message in its frame.
func Type(m Message) string { return m.kind() }

// Encode returns a message as a frame, without an id if that is 0.
func Encode(id uint64, m Message) ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.kind(), err)
	}
	frame := make([]byte, 0, len(body)+40)
	frame = append(frame, `{"type":`...)
	frame = strconv.AppendQuote(frame, m.kind())
	if id != 0 {
		frame = append(frame, `,"id":`...)
		frame = strconv.AppendUint(frame, id, 10)
	}
	if len(body) > len("{}") {
		frame = append(frame, ',')
	}
	return append(frame, body[1:]...), nil
}

// The errors of frames that are not messages.
var (
	ErrText = errors.New("not UTF-8")
	ErrType = errors.New("unknown type")
)

// Decode decodes a frame and returns a pointer to its message. With an error it still
// returns the id, if it could read it, for the answer. An error wraps ErrType if the
// type is unknown, and names a field with a value of a wrong kind.
func (d Direction) Decode(frame []byte) (id uint64, m Message, err error) {
	if !utf8.Valid(frame) {
		return 0, nil, ErrText
	}
	var head struct {
		Type string `json:"type"`
		ID   uint64 `json:"id"`
	}
	if trimmed := bytes.TrimLeft(frame, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return 0, nil, errors.New("not a JSON object")
	}
	frame = whole(frame)
	if err := json.Unmarshal(frame, &head); err != nil {
		return head.ID, nil, plain(err)
	}
	t, ok := d[head.Type]
	if !ok {
		return head.ID, nil, fmt.Errorf("%w %q", ErrType, head.Type)
	}
	v := reflect.New(t)
	if err := json.Unmarshal(frame, v.Interface()); err != nil {
		return head.ID, nil, fmt.Errorf("%s: %w", head.Type, plain(err))
	}
	return head.ID, v.Interface().(Message), nil
}

// whole returns a frame in which whole numbers such as 8.0 and 1e1 are written as 8 and 10: JSON has one kind of
// number, and some languages write all of them so. One that is no JSON is returned as it is.
func whole(frame []byte) []byte {
	var v any
	for i, c := range frame[1:] {
		digit := frame[i] >= '0' && frame[i] <= '9'
		if digit && (c == 'e' || c == 'E' || bytes.HasPrefix(frame[i+1:], []byte(".0"))) {
			if json.Unmarshal(frame, &v) == nil {
				frame, _ = json.Marshal(v) // what was read can be written
			}
			break
		}
	}
	return frame
}

// plain rewrites an error of encoding/json without the names of Go types.
func plain(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%q cannot be a %s", wrong.Field, wrong.Value)
	}
	return err
}

// The types of the messages in their frames.

func (Hello) kind() string         { return "hello" }
func (Ping) kind() string          { return "ping" }
func (EnterLobby) kind() string    { return "enter_lobby" }
func (Challenge) kind() string     { return "challenge" }
func (ViewChallenge) kind() string { return "view_challenge" }
func (Accept) kind() string        { return "accept" }
func (Decline) kind() string       { return "decline" }
func (Cancel) kind() string        { return "cancel" }
func (Watch) kind() string         { return "watch" }
func (Unwatch) kind() string       { return "unwatch" }
func (Play) kind() string          { return "play" }
func (Resign) kind() string        { return "resign" }
func (Abort) kind() string         { return "abort" }
func (Offer) kind() string         { return "offer" }
func (Here) kind() string          { return "here" }
func (Chat) kind() string          { return "chat" }
func (Ignore) kind() string        { return "ignore" }
func (Analyse) kind() string       { return "analyse" }
func (Analysis) kind() string      { return "analysis" }
func (Explore) kind() string       { return "explore" }
func (Import) kind() string        { return "import" }

func (Welcome) kind() string      { return "welcome" }
func (Pong) kind() string         { return "pong" }
func (Ack) kind() string          { return "ack" }
func (Error) kind() string        { return "error" }
func (Lobby) kind() string        { return "lobby" }
func (LobbyChanged) kind() string { return "lobby_changed" }
func (Challenged) kind() string   { return "challenged" }
func (Closed) kind() string       { return "closed" }
func (Game) kind() string         { return "game" }
func (Moved) kind() string        { return "moved" }
func (Offered) kind() string      { return "offered" }
func (Over) kind() string         { return "over" }
func (Said) kind() string         { return "said" }
func (Ignored) kind() string      { return "ignored" }
func (Position) kind() string     { return "position" }
func (Presence) kind() string     { return "presence" }
func (Connections) kind() string  { return "connections" }
func (Restart) kind() string      { return "restart" }
