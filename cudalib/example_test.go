package cudalib_test

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
)

// Work that can run anywhere: on the GPU where there is one, else by its CPU
// reference implementation.
func Example() {
	choice, err := cudalib.ParseChoice("cpu") // or auto, cuda, cuda:1
	if err != nil {
		panic(err)
	}
	device, why, err := choice.Open()
	if err != nil {
		panic(err)
	}
	fmt.Println("runs on", why)
	if device == nil {
		return // to the CPU reference implementation
	}
	defer device.Close()
	speed, err := probe.Measure(device)
	if err != nil {
		panic(err)
	}
	fmt.Println(speed.Copy, "bytes a second")
	// Output: runs on the CPU, as asked for
}
