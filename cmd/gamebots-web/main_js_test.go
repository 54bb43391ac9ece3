package main

import (
	"os"
	"syscall/js"
	"testing"
)

// What the page sends without sense gets an answer, and what it sends without end does not stop the program.
func TestMessages(t *testing.T) {
	told := make(chan string, 8)
	js.Global().Set("postMessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].Get("kind").String()
		if said := args[0].Get("text"); said.Type() == js.TypeString {
			text += ": " + said.String()
		}
		told <- text
		return nil
	}))
	send := func(fields map[string]any) {
		js.Global().Call("onmessage", map[string]any{"data": fields})
	}
	heard := func(want ...string) {
		t.Helper()
		for _, want := range want {
			if got := <-told; got != want {
				t.Errorf("the page hears %q, want %q", got, want)
			}
		}
		if len(told) > 0 {
			t.Errorf("the page hears %q, too", <-told)
		}
	}
	os.Args = os.Args[:1]
	main()
	heard(`failed: unknown part of the page: ""`)
	messages := listen()
	heard("ready")
	for range cap(messages) {
		send(nil)
	}
	heard()
	send(nil)
	heard("failed: The program does not keep up with the page.")

	go func() { t.Error(solve()) }()
	heard("ready")
	for range 2 { // the first answer does not end the program
		send(map[string]any{"kind": "get", "id": 1, "path": "spots/solve"})
		heard("reply")
	}
}
