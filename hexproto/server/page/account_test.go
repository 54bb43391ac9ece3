package page_test

import "testing"

// The colours of the page and the coordinates of boards are chosen in the account view, and
// remembered.
func TestAppearance(t *testing.T) {
	t.Parallel()
	ada := open(t, desktop, newServer(t, true).url())
	ada.enter("ada")
	ground := func(dark bool) {
		t.Helper()
		want := map[bool]string{false: "rgb(246, 244, 239)", true: "rgb(21, 23, 26)"}[dark]
		ada.until(`getComputedStyle(document.body).backgroundColor === ` + quote(want))
	}
	ground(false)
	ada.visit("account")
	ada.choose("select[name=theme]", "dark")
	ground(true)
	ada.inspect("account", "chosen-dark")
	ada.click("label", "Coordinates")
	ada.reload()
	ground(true)
	ada.sees(".connection a", "ada")
	ada.visit("")
	ada.begin("Havannah", "random", "no clock", "me", nil)
	ada.until(`getComputedStyle(document.querySelector(".hex text.name")).display === "none"`)
	if themed := eval[string](ada, `[...document.querySelectorAll("meta[name=theme-color]")].
		filter((m) => matchMedia(m.media).matches).map((m) => m.content).join()`); themed != "#15171a" {
		t.Errorf("the browser's own parts have the colour %s", themed)
	}
	ada.visit("account")
	ada.choose("select[name=theme]", "as the system")
	ground(false)
}
