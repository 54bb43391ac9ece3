package main

import (
	"context"
	"net/url"

	"gamebots/bots/spotstudy"
)

// solverMemory is the most bytes that a solver takes: WebAssembly has four GiB.
const solverMemory = 2 << 30

// solve answers the requests for spots, which are messages "get".
func solve() error {
	study := &spotstudy.Study{Memory: solverMemory}
	for m := range listen() {
		address, err := url.Parse("/" + m.Get("path").String())
		if err != nil {
			return err
		}
		status, body := study.Answer(context.Background(), address, nil, func(part float64, text string) {
			tell("progress", map[string]any{"phase": "solving", "part": part, "text": text})
		})
		tell("reply", map[string]any{"id": m.Get("id"), "status": status, "body": string(body)})
	}
	return nil
}
