package main

import (
	"fmt"
	"os"
	"syscall/js"
)

func main() {
	var err error
	switch part := append(os.Args, "")[1]; part {
	case "serve":
		err = serve()
	case "solve":
		err = solve()
	default:
		err = fmt.Errorf("unknown part of the page: %q", part)
	}
	if err != nil {
		tell("failed", map[string]any{"text": err.Error()})
	}
}

// tell sends a message to the page.
func tell(kind string, fields map[string]any) {
	message := map[string]any{"kind": kind}
	for name, value := range fields {
		message[name] = value
	}
	js.Global().Call("postMessage", message)
}

// listen returns the messages of the page, in their order, and says that it may send them.
func listen() <-chan js.Value {
	messages := make(chan js.Value, 1<<10)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		select {
		case messages <- args[0].Get("data"):
		default: // to wait here would stop all events, also those that the reader may wait for
			tell("failed", map[string]any{"text": "The program does not keep up with the page."})
		}
		return nil
	}))
	tell("ready", nil)
	return messages
}

// phase tells the page how far a phase of the work is.
func phase(name string) (progress func(part float64)) {
	tell("progress", map[string]any{"phase": name, "part": 0})
	shown := 0
	return func(part float64) {
		if percent := int(100 * part); percent > shown {
			shown = percent
			tell("progress", map[string]any{"phase": name, "part": part})
		}
	}
}
