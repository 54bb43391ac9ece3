package boards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// readOptions reads a JSON object of options into a struct that holds the
// defaults. An empty text changes nothing; an unknown option is an error.
func readOptions(text json.RawMessage, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // its text names Go's types
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

// mustJSON encodes a value of a type that cannot fail.
func mustJSON(v any) json.RawMessage {
	text, _ := json.Marshal(v)
	return text
}
