package driver

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// A Module is a set of kernels, compiled by the driver for its device.
type Module struct {
	object
	name       string
	signatures map[string][]int // the sizes of each kernel's parameters
}

// Load compiles kernels from PTX, NVIDIA's text for kernels of any GPU. The
// driver caches compiled modules, so it is slow only once. The name
// is for errors.
func (d *Device) Load(name, ptx string) (*Module, error) {
	signatures, err := parseSignatures(ptx)
	if err != nil {
		return nil, fmt.Errorf("module %s: %w", name, err)
	}
	m := &Module{name: name, signatures: signatures}
	return m, d.Do(func() error {
		var (
			handle uintptr
			text   = append([]byte(ptx), 0)
			log    = make([]byte, 2048)
			pinner runtime.Pinner
		)
		pinner.Pin(&log[0]) // the driver gets its address in an array of numbers
		defer pinner.Unpin()
		options := [...]int32{jitErrorLog, jitErrorLogBytes}
		values := [...]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
		if err := d.call(cuModuleLoadDataEx, uintptr(unsafe.Pointer(&handle)), uintptr(unsafe.Pointer(&text[0])),
			uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])),
			uintptr(unsafe.Pointer(&values[0]))); err != nil {
			said, _, _ := bytes.Cut(log, []byte{0})
			return detail(err, "module %s%s", name, oneLine(said))
		}
		m.object = newObject(d, "module", handle, cuModuleUnload)
		return nil
	})
}

// oneLine makes the compiler's lines of an error the end of a line.
func oneLine(log []byte) string {
	if len(log) == 0 {
		return ""
	}
	return " (" + strings.Join(strings.Fields(string(log)), " ") + ")"
}

// A Kernel is a function of a module that runs on the device. It goes with its
// module.
type Kernel struct {
	module *Module
	name   string
	handle uintptr
	shared int // bytes of dynamic shared memory that a block may have now

	// What a launch passes: values[i] is the argument for a parameter of
	// sizes[i] bytes, and pointers[i] points to it. They belong to the owner.
	sizes    []int
	values   []uint64
	pointers []unsafe.Pointer
}

// Kernel finds a kernel by its name.
func (m *Module) Kernel(name string) (*Kernel, error) {
	if err := m.on(m.dev); err != nil {
		return nil, err
	}
	sizes, ok := m.signatures[name]
	if !ok {
		return nil, fmt.Errorf("module %s has no kernel %s", m.name, name)
	}
	k := &Kernel{module: m, name: name, shared: defaultShared, sizes: sizes,
		values: make([]uint64, len(sizes)), pointers: make([]unsafe.Pointer, len(sizes))}
	for i := range k.values {
		k.pointers[i] = unsafe.Pointer(&k.values[i])
	}
	text := append([]byte(name), 0)
	err := m.dev.call(cuModuleGetFunction, uintptr(unsafe.Pointer(&k.handle)), m.handle,
		uintptr(unsafe.Pointer(&text[0])))
	return k, detail(err, "kernel %s of module %s", name, m.name)
}
