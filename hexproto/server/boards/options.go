package boards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ReadOptions puts a JSON object of options over what into, a pointer to a
// struct, holds already. An empty text changes nothing; an option that there is
// not is an error.
func ReadOptions(text json.RawMessage, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // which names Go's types
		if wrong.Field == "" {
			return fmt.Errorf("options are a JSON object, not a %s", wrong.Value)
		}
		return fmt.Errorf("option %s: it cannot be a %s", wrong.Field, wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("options: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// MustJSON returns a value as JSON that always can be.
func MustJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
