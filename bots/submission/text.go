package submission

import (
	"fmt"
	"io"
	"text/tabwriter"
)

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
