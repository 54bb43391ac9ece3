package submission

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteJSON writes a verdict on a folder as one JSON object.
func (v *Verdict) WriteJSON(w io.Writer, dir string) error {
	return json.NewEncoder(w).Encode(struct {
		Folder string `json:"folder"`
		OK     bool   `json:"ok"`
		*Verdict
	}{dir, v.OK(), v})
}

// WriteText writes a verdict as a table of the rules.
func (v *Verdict) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "rule\twanted\tmeasured\t")
	for _, f := range v.Findings {
		mark := ""
		switch {
		case !f.OK:
			mark = "BROKEN"
		case f.Want != "":
			mark = "ok"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.Rule, f.Want, f.Got, mark)
	}
	if err := table.Flush(); err != nil || v.Reason == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "reason: %s\n", v.Reason)
	return err
}
