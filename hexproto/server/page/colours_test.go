package page_test

import (
	"fmt"
	"slices"
	"testing"
)

// contrastOf returns the contrast of WCAG between two colours of the page, in CSS.
func (tb *tab) contrastOf(one, other string) float64 {
	tb.Helper()
	return eval[float64](tb, fmt.Sprintf(`(() => {
		const [a, b] = [%s, %s].map((colour) => {
			const e = document.createElement("i");
			e.style.color = colour;
			document.body.append(e);
			const [red, green, blue] = getComputedStyle(e).color.match(/[\d.]+/g).
				map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
			e.remove();
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
		});
		return Math.max(a, b) / Math.min(a, b);
	})()`, quote(one), quote(other)))
}

// Actions differ by lightness, for those who see no hues, and stones from the board. axe does not look at either.
func TestContrasts(t *testing.T) {
	t.Parallel()
	h := newServer(t, true)
	for _, dark := range []bool{false, true} {
		look := desktop
		look.dark = dark
		tb := open(t, look, h.url())
		tb.sees("h1", "Havannah")
		colours := eval[[]string](tb, `(() => {
			const shares = document.createElementNS("http://www.w3.org/2000/svg", "svg");
			shares.setAttribute("class", "shares");
			const bars = [0, 1, 2, 3, 4, 5].map((i) => {
				const e = document.createElement("i");
				e.className = "swatch action-" + i;
				return e;
			});
			document.body.append(shares, ...bars);
			return [shares, ...bars].map((e) => getComputedStyle(e).backgroundColor);
		})()`)
		for i, colour := range colours[1:] {
			if c := tb.contrastOf(colours[i], colour); c < 1.6 {
				t.Errorf("dark %v: action %d and what is beside it have a contrast of %.2f", dark, i, c)
			}
		}
		if slices.Contains(colours, "") {
			t.Errorf("colours %q", colours)
		}
		for _, stone := range []string{"white", "black"} {
			fill := tb.contrastOf("var(--"+stone+")", "var(--cell)")
			if rim := tb.contrastOf("var(--"+stone+"-rim)", "var(--cell)"); max(fill, rim) < 3 {
				t.Errorf("dark %v: a %s stone has a contrast of %.2f to the board, its rim %.2f",
					dark, stone, fill, rim)
			}
		}
	}
}
