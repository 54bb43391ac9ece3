package driver

import (
	"fmt"
	"math"
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

// Arg is the address of the buffer's first element, an argument for a pointer: of
// the zero Buffer a null pointer.
func (b Buffer[T]) Arg() Arg {
	if b.memory == nil {
		return U64(0)
	}
	return Arg{uint64(b.address()), 8, b.memory}
}

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

// parameterBytes are the sizes of PTX's types for parameters.
var parameterBytes = map[string]int{
	".b8": 1, ".u8": 1, ".s8": 1,
	".b16": 2, ".u16": 2, ".s16": 2, ".f16": 2,
	".b32": 4, ".u32": 4, ".s32": 4, ".f32": 4,
	".b64": 8, ".u64": 8, ".s64": 8, ".f64": 8,
}

// parseSignatures returns the sizes in bytes of the parameters of each kernel
// in a PTX text, as they are declared (PTX ISA, "Kernel Function Parameters"):
//
//	.entry name(
//		.param .u64 name_param_0,
//		.param .align 4 .b8 name_param_1[12]
//	)
func parseSignatures(ptx string) (map[string][]int, error) {
	signatures := map[string][]int{}
	for {
		_, rest, found := strings.Cut(ptx, ".entry ")
		if !found {
			break
		}
		name, rest, _ := strings.Cut(rest, "(")
		list, rest, closed := strings.Cut(rest, ")")
		if !closed {
			return nil, fmt.Errorf("the parameters of kernel %s do not end", strings.TrimSpace(name))
		}
		ptx = rest
		name = strings.TrimSpace(name)
		signatures[name] = []int{}
		if strings.TrimSpace(list) == "" {
			continue
		}
		for parameter := range strings.SplitSeq(list, ",") {
			size, err := parameterSize(parameter)
			if err != nil {
				return nil, fmt.Errorf("kernel %s: %w", name, err)
			}
			signatures[name] = append(signatures[name], size)
		}
	}
	return signatures, nil
}

// parameterSize returns the size of one declared parameter.
func parameterSize(declaration string) (int, error) {
	size := 0
	for _, word := range strings.Fields(declaration) {
		if n, ok := parameterBytes[word]; ok {
			size = n
		}
	}
	if _, count, ok := strings.Cut(declaration, "["); ok {
		n, err := strconv.Atoi(strings.TrimRight(count, "] \t\n"))
		if err != nil {
			return 0, fmt.Errorf("parameter %q: %w", strings.TrimSpace(declaration), err)
		}
		size *= n
	}
	if size == 0 {
		return 0, fmt.Errorf("parameter %q has no known type", strings.TrimSpace(declaration))
	}
	return size, nil
}
