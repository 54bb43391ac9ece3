package page_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
)

// axeFile is axe-core, which finds breaches of the Web Content Accessibility Guidelines.
// "make axe" fetches it.
const axeFile = "../../../build/axe/axe.min.js"

// axe returns the text of axe-core, "" if it was not fetched.
var axe = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile(axeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
})

// breaches lists where the view that is shown breaks WCAG 2.2, levels A and AA, as far as
// axe-core finds it. Without axe-core the list is empty.
func (tb *tab) breaches() []string {
	tb.Helper()
	text, err := axe()
	tb.do(err)
	if text == "" {
		return nil
	}
	return eval[[]string](tb, `(async () => {
		if (!window.axe) { `+text+` }
		const { violations } = await axe.run(document, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
		});
		return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary));
	})()`)
}

// TestAxe breaks the page, so that it is known that breaches would be found. TestViews
// looks for them in every view.
func TestAxe(t *testing.T) {
	t.Parallel()
	if text, err := axe(); err != nil || text == "" {
		t.Skip("axe-core is not there, so breaches of WCAG are not looked for: make axe fetches it", err)
	}
	tb := open(t, desktop, newServer(t, true).url())
	tb.sees("h1", "Havannah")
	eval[bool](tb, `(document.querySelector("input").closest("label").replaceWith(document.querySelector("input")), `+
		`true)`)
	eval[bool](tb, `(document.querySelector("input").removeAttribute("placeholder"), `+
		`document.querySelector("input").removeAttribute("title"), true)`)
	if found := strings.Join(tb.breaches(), "\n"); !strings.Contains(found, "label: ") {
		t.Errorf("of a field without a label was found: %q", found)
	}
}
