package driver

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unsafe"
)

// defaultShared is how many bytes of dynamic shared memory a block can have
// without being asked for more.
const defaultShared = 48 << 10

// A Grid is how many threads run a kernel, in one dimension.
type Grid struct {
	Blocks  int
	Threads int // a block
	Shared  int // bytes of dynamic shared memory a block
}

// An Arg is an argument of a kernel. Its size must be that of the kernel's
// parameter.
type Arg struct {
	bits   uint64
	size   int
	memory *object // memory of a buffer
}

// U32 is an argument for a parameter of 32 bits.
func U32(x uint32) Arg { return Arg{uint64(x), 4, nil} }

// U64 is an argument for a parameter of 64 bits.
func U64(x uint64) Arg { return Arg{x, 8, nil} }

// F32 is an argument for a float.
func F32(x float32) Arg { return Arg{uint64(math.Float32bits(x)), 4, nil} }

// Launch puts the kernel on a stream. The arguments are checked against the
// kernel's parameters in number and size; an error of the kernel itself comes
// out where the stream is waited for.
func (k *Kernel) Launch(s *Stream, g Grid, args ...Arg) error {
	d := s.dev
	if d.owned() {
		return k.launch(s, g, args)
	}
	return d.Do(func() error { return k.launch(s, g, args) })
}

func (k *Kernel) launch(s *Stream, g Grid, args []Arg) error {
	if err := k.accept(s, g, args); err != nil {
		return fmt.Errorf("kernel %s: %w", k.name, err)
	}
	if err := k.allow(g.Shared); err != nil {
		return err
	}
	for i, a := range args {
		k.values[i] = a.bits // the first size bytes of it: all these systems are little-endian
	}
	var pointers uintptr
	if len(k.pointers) > 0 {
		pointers = uintptr(unsafe.Pointer(&k.pointers[0])) // k, in the heap, keeps the arguments alive
	}
	err := s.dev.call(cuLaunchKernel, k.handle, uintptr(g.Blocks), 1, 1, uintptr(g.Threads), 1, 1,
		uintptr(g.Shared), s.handle, pointers, 0)
	if err != nil {
		return detail(err, "kernel %s with %d blocks of %d threads", k.name, g.Blocks, g.Threads)
	}
	s.dev.launched = k.name
	return nil
}

// allow lets blocks of the kernel have so much dynamic shared memory.
func (k *Kernel) allow(shared int) error {
	if shared <= k.shared {
		return nil
	}
	if err := k.module.dev.call(cuFuncSetAttribute, k.handle, functionMaxSharedBytes, uintptr(shared)); err != nil {
		return detail(err, "kernel %s with %d bytes of shared memory a block", k.name, shared)
	}
	k.shared = shared
	return nil
}

// accept returns an error unless the kernel can be launched like this.
func (k *Kernel) accept(s *Stream, g Grid, args []Arg) error {
	if err := s.on(s.dev); err != nil {
		return err
	}
	if err := k.module.on(s.dev); err != nil {
		return err
	}
	if g.Blocks < 1 || g.Blocks > math.MaxInt32 || g.Threads < 1 || g.Threads > 1024 || g.Shared < 0 {
		return fmt.Errorf("a grid of %d blocks of %d threads with %d bytes of shared memory cannot be",
			g.Blocks, g.Threads, g.Shared)
	}
	if err := k.fits(args); err != nil {
		return err
	}
	for i, a := range args {
		if a.memory != nil {
			if err := a.memory.on(s.dev); err != nil {
				return fmt.Errorf("argument %d: %w", i, err)
			}
		}
	}
	return nil
}

// Fits returns an error unless the arguments are those of the kernel's parameters
// in number and size. Launch checks that too.
func (k *Kernel) Fits(args ...Arg) error {
	if err := k.fits(args); err != nil {
		return fmt.Errorf("kernel %s: %w", k.name, err)
	}
	return nil
}

func (k *Kernel) fits(args []Arg) error {
	if len(args) != len(k.sizes) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(k.sizes))
	}
	for i, a := range args {
		if a.size != k.sizes[i] {
			return fmt.Errorf("argument %d has %d bytes, its parameter %d", i, a.size, k.sizes[i])
		}
	}
	return nil
}

// Resident returns how many blocks of the kernel a multiprocessor runs at the
// same time. A kernel whose blocks go through their work in strides wants as
// many as fit on the device.
func (k *Kernel) Resident(threads, shared int) (int, error) {
	if err := k.module.on(k.module.dev); err != nil {
		return 0, err
	}
	if err := k.allow(shared); err != nil {
		return 0, err
	}
	var n int32
	err := k.module.dev.call(cuOccupancyMaxActiveBlocksPerMultiprocessor, uintptr(unsafe.Pointer(&n)), k.handle,
		uintptr(threads), uintptr(shared))
	return int(n), detail(err, "kernel %s with %d threads a block", k.name, threads)
}

// parameter is what follows .param where a kernel declares a parameter: a type, and
// of an array its length.
var parameter = regexp.MustCompile(`^(?:\.align \d+ )?\.[bfsu](8|16|32|64) [^\[]*(?:\[(\d+)\])?\s*,?\s*$`)

// parseSignatures returns the sizes in bytes of the parameters of each kernel
// in a PTX text, as they are declared (PTX ISA, "Kernel Function Parameters"):
//
//	.entry name(
//		.param .u64 name_param_0,
//		.param .align 4 .b8 name_param_1[12]
//	)
func parseSignatures(ptx string) (map[string][]int, error) {
	signatures := map[string][]int{}
	for _, kernel := range strings.Split(ptx, ".entry ")[1:] {
		name, rest, _ := strings.Cut(kernel, "(")
		list, _, closed := strings.Cut(rest, ")")
		if name = strings.TrimSpace(name); !closed {
			return nil, fmt.Errorf("the parameters of kernel %s do not end", name)
		}
		sizes := []int{}
		for _, declared := range strings.Split(list, ".param ")[1:] {
			p := parameter.FindStringSubmatch(declared)
			if p == nil {
				return nil, fmt.Errorf("kernel %s: parameter %q has no known type", name, strings.TrimSpace(declared))
			}
			bits, _ := strconv.Atoi(p[1])
			length, _ := strconv.Atoi(cmp.Or(p[2], "1"))
			sizes = append(sizes, bits/8*length)
		}
		signatures[name] = sizes
	}
	return signatures, nil
}
