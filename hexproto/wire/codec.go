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

// Version is that of the protocol.
const Version = 1

// MaxMessage is the size in bytes of the largest message that a server takes
// from a client.
const MaxMessage = 16 << 10

// Message is a struct of this package that has a type of message, or a pointer
// to one.
type Message interface{ kind() string }

// Direction is the messages that one side sends, by their type.
type Direction map[string]reflect.Type

func direction(messages ...Message) Direction {
	d := Direction{}
	for _, m := range messages {
		d[m.kind()] = reflect.TypeOf(m)
	}
	return d
}

// Type returns the type of a message, as it is written.
func Type(m Message) string { return m.kind() }

// Encode returns a message as a frame. An id of 0 is left out.
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

// The errors of frames that are no message, beside those of a wrong field.
var (
	ErrText = errors.New("not UTF-8")
	ErrType = errors.New("unknown type")
)

// Decode reads a frame of a direction. What it returns is a pointer. The id is
// returned with an error too, where it could be read, so that the sender can be
// told. Errors wrap ErrType where the type is not known, and name the field
// where its value is of a wrong kind.
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

// plain puts an error of encoding/json into words without names of Go's types.
func plain(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("%q cannot be a %s", wrong.Field, wrong.Value)
	}
	return err
}
