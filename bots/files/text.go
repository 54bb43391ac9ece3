package files

import (
	"fmt"
	"io"
	"strings"

	"gamebots/internal/usererr"
)

// WriteText writes a finding for people.
func (f Finding) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, warning := range f.Warnings {
		fmt.Fprintf(&b, "warning: %v\n", warning)
	}
	if f.Err != nil {
		for line := range strings.Lines(f.Err.Error() + "\n") {
			b.WriteString("error: " + line)
		}
		if hint := usererr.Hint(f.Err); hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", hint)
		}
	}
	if f.Err == nil || f.Text != "" {
		mark, indent := "", "  "
		if strings.HasPrefix(f.Text, "GAMEDEF") {
			mark, indent = "# ", "" // the text is a definition that can be read again
		}
		fmt.Fprintf(&b, "%s%s: %s\n", mark, f.File, f.Summary)
		for line := range strings.Lines(f.Text) {
			if line != "\n" {
				b.WriteString(indent + line)
			}
		}
	}
	_, err := io.WriteString(w, usererr.Safe(b.String()))
	return err
}

// JSON returns a finding for JSON.
func (f Finding) JSON() any {
	type warning struct {
		Line int    `json:"line"`
		Key  string `json:"key"`
		Text string `json:"text"`
	}
	warnings := make([]warning, len(f.Warnings))
	for i, v := range f.Warnings {
		warnings[i] = warning{v.Line, v.Key, v.Msg}
	}
	reason := ""
	if f.Err != nil {
		reason = f.Err.Error()
	}
	return struct {
		File     string    `json:"file"`
		Kind     string    `json:"kind"`
		Summary  string    `json:"summary"`
		Text     string    `json:"text"`
		Warnings []warning `json:"warnings"`
		Error    string    `json:"error"`
	}{f.File, f.Kind, f.Summary, f.Text, warnings, reason}
}
