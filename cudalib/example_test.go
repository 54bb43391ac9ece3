package cudalib_test

import (
	"fmt"

	"gamebots/cudalib"
	"gamebots/cudalib/probe"
)

// Work that can run anywhere: on the GPU where there is one, else by its CPU
// reference implementation, with the same result.
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
	x := []float32{0.5, 0.25, 2}
	if device == nil {
		fmt.Println(probe.Sum(x))
		return
	}
	defer device.Close()
	s, err := probe.NewSummation(device, len(x))
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if err := s.Upload(x); err != nil {
		panic(err)
	}
	sum, err := s.Sum()
	if err != nil {
		panic(err)
	}
	fmt.Println(sum)
	// Output:
	// runs on the CPU, as asked for
	// 2.75
}
