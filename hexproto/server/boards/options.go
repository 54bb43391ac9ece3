package boards

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("options: %w", err)
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
