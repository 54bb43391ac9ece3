package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gamebots/internal/testkit"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long a test waits for an event, on a busy machine too. It is never waited out
// unless something is broken.
const patience = 2 * time.Minute

// chromium returns the path of a browser: $GAMEBOTS_CHROMIUM, or the first of
// those that systems have.
func chromium() (string, error) {
	if path := os.Getenv("GAMEBOTS_CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{
		"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome",
	} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is installed: the tests of the page in a browser are skipped (Debian has " +
		"chromium-headless-shell)")
}

// browser is one browser for all tests, because starting one takes a second.
// Tabs have storage of their own.
var browser struct {
	sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path, err := chromium()
	if err != nil {
		t.Skip(err)
	}
	browser.Do(func() {
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path),
			chromedp.NoSandbox, chromedp.DisableGPU)
		ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stop := chromedp.NewContext(ctx)
		browser.ctx = ctx
		browser.stop = func() { stop(); stopAllocator() }
		browser.err = chromedp.Do(ctx)
	})
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	return browser.ctx
}

// device is the emulated device of a tab.
type device struct {
	width, height int64
	phone, dark   bool
	scale         float64 // pixels of a screenshot, 1 unless it is set
}

var (
	desktop = device{width: 1280, height: 860}
	phone   = device{width: 390, height: 844, phone: true}
)

// look is a way in which people see the page.
type look struct {
	name string
	device
}

// eachLook runs a test for all looks: on a desktop and on a phone, light and dark. Two of them, which have each of
// these once and the smallest phone, are for the first tier, unless pictures of all are asked for.
func eachLook(t *testing.T, test func(t *testing.T, look look)) {
	for _, l := range []look{
		{"light", desktop},
		{"dark", device{width: desktop.width, height: desktop.height, dark: true}},
		{"phone-light", device{width: 320, height: 640, phone: true, scale: 2}}, // the smallest, or a large letter
		{"phone-dark", device{width: phone.width, height: phone.height, phone: true, dark: true, scale: 2}},
	} {
		t.Run(l.name, func(t *testing.T) {
			pictures := *update || os.Getenv("GAMEBOTS_SCREENS") != ""
			if (l.name == "light" || l.name == "phone-dark") && !pictures {
				testkit.SlowOnly(t)
			}
			test(t, l)
		})
	}
}

// tab is a tab of the browser, with cookies and storage of its own. Its methods
// fail the test where what they are to do does not become possible in time.
type tab struct {
	*testing.T
	ctx    context.Context
	mu     sync.Mutex
	faults []string // what the page wrote to the console
	meant  []string // parts of faults that the test provokes
}

// open opens a page. What the page writes to the console as an error or a
// warning, such as an exception or a breach of its policy, fails the test.
func open(t *testing.T, d device, url string) *tab {
	t.Helper()
	return openAt(t, d, url, "")
}

// sources is the address of an empty page beside the modules as they are written, one by one.
func sources(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("site")))
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html>") })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/empty"
}

// openAt is open after a script of the test's own.
func openAt(t *testing.T, d device, url, script string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(startBrowser(t), chromedp.WithNewBrowserContext())
	tb := &tab{T: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		tb.mu.Lock()
		defer tb.mu.Unlock()
		for _, fault := range tb.faults {
			if !slices.ContainsFunc(tb.meant, func(part string) bool { return strings.Contains(fault, part) }) {
				t.Errorf("the page: %s", fault)
			}
		}
	})
	tb.do(chromedp.Do(ctx))
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				tb.mu.Lock()
				tb.faults = append(tb.faults, m.String())
				tb.mu.Unlock()
			}
		}
	}()
	scheme := "light"
	if d.dark {
		scheme = "dark"
	}
	tb.command("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
	}})
	// Tabs of tests that run beside each other all have the focus.
	tb.command("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	tb.command("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": script})
	options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(max(1, d.scale))}
	if d.phone {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	}
	tb.do(chromedp.Do(ctx, chromedp.EmulateViewport(d.width, d.height, options...), chromedp.Navigate(url)))
	return tb
}

// do fails the test on an error.
func (tb *tab) do(err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// expect lets faults of the page pass that have a part in them.
func (tb *tab) expect(part string) { tb.meant = append(tb.meant, part) }

// expectOffline says that the test stops the server: connections fail then, and so does what the page
// happens to be loading.
func (tb *tab) expectOffline() {
	tb.expect("WebSocket connection to")
	tb.expect("net::ERR_CONNECTION_REFUSED")
}

// eval returns the value of an expression of JavaScript.
func eval[T any](tb *tab, js string) T {
	tb.Helper()
	value, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.Fatalf("%s: %v", js, err)
	}
	return value
}

// until waits until an expression is true.
func (tb *tab) until(js string) {
	tb.Helper()
	await[bool](tb, "!!("+js+")")
}

// await waits until an expression has a value that is not zero, and returns that.
func await[T comparable](tb *tab, js string) T {
	tb.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(15 * time.Millisecond) {
		value, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](js))
		if err == nil && value != *new(T) {
			return value
		}
		if time.Now().After(end) {
			text, _ := chromedp.Run(tb.ctx, chromedp.Evaluate[string]("document.body.innerText"))
			tb.Fatalf("never became true (%v): %s\nThe page shows:\n%s", err, js, text)
		}
	}
}

// quote writes a string of JavaScript.
func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings can be written
	}
	return string(b)
}

// one is an expression for the first visible element that a selector and, if
// there is one, a text fit.
func one(selector, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].find((e) => e.getClientRects().length > 0 && `+
		`(e.textContent + (e.ariaLabel ?? "")).includes(%s))`,
		quote(selector), quote(text))
}

// sees waits for an element with a text in it.
func (tb *tab) sees(selector, text string) {
	tb.Helper()
	tb.until(one(selector, text))
}

// reload loads the page again.
func (tb *tab) reload() {
	tb.Helper()
	eval[bool](tb, `(window.old = true, location.reload(), true)`)
	tb.until(`!window.old`)
}

// middle waits for an element that is not disabled, scrolls it into view and returns its middle.
func (tb *tab) middle(selector, text string) (x, y float64) {
	tb.Helper()
	at := await[struct{ X, Y float64 }](tb, fmt.Sprintf(`(() => { const e = %s; if (!e || e.disabled) return {};
		e.scrollIntoView({block: "nearest", behavior: "instant"});
		const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2};
	})()`, one(selector, text)))
	return at.X, at.Y
}

// click clicks with the mouse on the first visible element that fits.
func (tb *tab) click(selector, text string) {
	tb.Helper()
	x, y := tb.middle(selector, text)
	tb.do(chromedp.Do(tb.ctx, chromedp.MouseClickXY(x, y)))
}

// command sends the browser a command of its protocol (https://chromedevtools.github.io/devtools-protocol).
func (tb *tab) command(method string, params map[string]any) {
	tb.Helper()
	tb.do(chromedp.FromContext(tb.ctx).Target.Call(tb.ctx, method, params, nil))
}

// hover moves the mouse to the first visible element that fits.
func (tb *tab) hover(selector, text string) {
	tb.Helper()
	x, y := tb.middle(selector, text)
	tb.command("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y})
}

// tap is click with a finger.
func (tb *tab) tap(selector, text string) {
	tb.Helper()
	x, y := tb.middle(selector, text)
	tb.touch("touchStart", [2]float64{x, y})
	tb.touch("touchEnd")
}

// write replaces the text of a field.
func (tb *tab) write(selector, text string) {
	tb.Helper()
	tb.until(fmt.Sprintf(`(() => { const e = %s; if (!e) return false; e.focus(); e.select(); return true; })()`,
		one(selector, "")))
	tb.command("Input.insertText", map[string]any{"text": text})
}

// choose chooses an option by its text.
func (tb *tab) choose(selector, text string) {
	tb.Helper()
	tb.until(fmt.Sprintf(`(() => { const e = %s; 
		const o = [...(e?.options ?? [])].find((o) => o.text.includes(%s)); if (!o) return false;
		if (!o.selected) { o.selected = true; e.dispatchEvent(new Event("change", {bubbles: true})); } return true;
	})()`, one(selector, ""), quote(text)))
}

// press presses keys: "ArrowUp", "Enter" and the like, or characters.
func (tb *tab) press(keys ...string) {
	tb.Helper()
	names := map[string]string{
		"ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
		"Enter": kb.Enter, "Tab": kb.Tab, "Home": kb.Home, "End": kb.End, "Escape": kb.Escape,
	}
	for _, key := range keys {
		if name, ok := names[key]; ok {
			key = name
		}
		tb.do(chromedp.Do(tb.ctx, chromedp.KeyEvent(key)))
	}
}

// enter signs in with a name.
func (tb *tab) enter(name string) {
	tb.Helper()
	tb.write("input[name=name]", name)
	tb.click("button", "Enter")
	tb.sees(".connection a", name)
}

// picture returns a screenshot of the tab, as a PNG.
func (tb *tab) picture() []byte {
	tb.Helper()
	png, err := chromedp.Run(tb.ctx, chromedp.CaptureScreenshot())
	tb.do(err)
	return png
}
