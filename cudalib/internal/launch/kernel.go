package launch

import (
	"fmt"
	"math"
	"reflect"

	"gamebots/cudalib/driver"
)

// A Kernel is launched with a struct P. Its fields are the kernel's parameters in
// their order: a uint32, uint64, float32 or float64; a bool for a u32 that is 0 or 1; for a pointer
// a buffer, a pinned array, or a [driver.Arg] where the kernel takes more than one type; or a
// struct of these.
// All fields are exported. The zero value of a pointer is a null pointer.
//
// Passing the struct allocates nothing.
type Kernel[P any] struct {
	*driver.Kernel
	params *P         // parameters of the launch that is under way
	fields []argument // fields of params
	args   []driver.Arg
}

type argument interface{ Arg() driver.Arg }

// Find finds a kernel of a launcher's modules. It is an error if the fields of P
// are not of the sizes of the kernel's parameters.
func Find[P any](l *Launcher, name string) *Kernel[P] {
	k := &Kernel[P]{params: new(P)}
	k.fields = arguments(nil, reflect.ValueOf(k.params).Elem())
	k.args = make([]driver.Arg, len(k.fields))
	if l.Err != nil {
		return k
	}
	for _, m := range l.modules { // the last one's error counts
		if k.Kernel, l.Err = m.Kernel(name); l.Err == nil {
			l.Err = k.Fits(k.read()...)
			return k
		}
	}
	return k
}

// Launch puts the kernel on a stream with these parameters.
func (k *Kernel[P]) Launch(s *driver.Stream, g driver.Grid, p P) error {
	*k.params = p
	return k.Kernel.Launch(s, g, k.read()...)
}

// read returns the parameters as arguments. They are valid until the next call.
func (k *Kernel[P]) read() []driver.Arg {
	for i, f := range k.fields {
		k.args[i] = f.Arg()
	}
	return k.args
}

// Blocks returns how many blocks with these threads and bytes of shared memory
// the device runs at the same time.
func Blocks[P any](l *Launcher, k *Kernel[P], threads, shared int) (blocks int) {
	if l.Err == nil {
		blocks, l.Err = k.Resident(threads, shared)
	}
	return blocks * l.Device.Info().Multiprocessors
}

// The types of fields that are no argument by themselves.
type (
	flag    bool
	word    uint32
	long    uint64
	single  float32
	double  float64
	pointer driver.Arg
)

func (x *flag) Arg() driver.Arg {
	if *x {
		return driver.U32(1)
	}
	return driver.U32(0)
}

func (x *word) Arg() driver.Arg   { return driver.U32(uint32(*x)) }
func (x *long) Arg() driver.Arg   { return driver.U64(uint64(*x)) }
func (x *single) Arg() driver.Arg { return driver.F32(float32(*x)) }
func (x *double) Arg() driver.Arg { return driver.U64(math.Float64bits(float64(*x))) }

func (x *pointer) Arg() driver.Arg {
	if *x == (pointer{}) {
		return driver.U64(0)
	}
	return driver.Arg(*x)
}

// arguments appends the fields of a struct, which are read where they are.
func arguments(list []argument, params reflect.Value) []argument {
	for i := range params.NumField() {
		field := params.Field(i)
		switch x := field.Addr().Interface().(type) {
		case *bool:
			list = append(list, (*flag)(x))
		case *uint32:
			list = append(list, (*word)(x))
		case *uint64:
			list = append(list, (*long)(x))
		case *float32:
			list = append(list, (*single)(x))
		case *float64:
			list = append(list, (*double)(x))
		case *driver.Arg:
			list = append(list, (*pointer)(x))
		case argument:
			list = append(list, x)
		default:
			if field.Kind() != reflect.Struct {
				panic(fmt.Sprintf("launch: a parameter of type %v", field.Type()))
			}
			list = arguments(list, field)
		}
	}
	return list
}
