package driver

import (
	"errors"
	"fmt"
	"unsafe"
)

// What an [*Error] or an error of [Load] can be, for errors.Is.
var (
	// ErrUnavailable: there is no GPU that this program can use. Work that may
	// run on the CPU can do so.
	ErrUnavailable = errors.New("no usable GPU")
	// ErrOutOfMemory: the device has less memory left than was asked for.
	// The device and all that is on it stay usable.
	ErrOutOfMemory = errors.New("out of device memory")
	// ErrFault: a kernel or the device failed, and with it all that is on the
	// device. Only another process can use it again.
	ErrFault = errors.New("device fault")
	// ErrClosed: the object that was used is closed, or its device is.
	ErrClosed = errors.New("closed")
)

// An Error is the failure of a call to CUDA.
type Error struct {
	Call   string // the function of the driver's library
	Code   int    // CUDA's number (CUresult), and
	Name   string // its name,
	Text   string // its explanation by the driver
	Detail string // the operation that failed, or ""
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s (%s, %d)", e.Call, e.Text, e.Name, e.Code)
	if e.Detail != "" {
		s = e.Detail + ": " + s
	}
	return s
}

// A MemoryError is work that needs more memory than is free on a device.
type MemoryError struct {
	Device     string
	Need, Free int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%d MiB of memory are needed on %s, %d MiB are free", e.Need>>20, e.Device, e.Free>>20)
}

// A kind classifies CUDA's error codes for the caller.
type kind struct {
	is   error
	hint string
}

var (
	unavailable = kind{ErrUnavailable,
		"see that nvidia-smi lists the GPU, that CUDA_VISIBLE_DEVICES does not hide it and that its driver is loaded"}
	oldDriver = kind{ErrUnavailable, "install a newer driver from NVIDIA"}
	fault     = kind{ErrFault, "start the program again from its last checkpoint; if it fails at the same " +
		"place, compute-sanitizer shows where the kernel goes wrong"}
	hardware = kind{ErrFault,
		"see nvidia-smi -q and the system's log; start the program again from its last checkpoint"}
)

// kinds are the codes that a caller can do something about.
var kinds = map[int]kind{
	2:   {ErrOutOfMemory, "nvidia-smi shows who uses the device's memory; smaller settings need less of it"},
	3:   unavailable, // not initialised
	34:  unavailable, // a stub library instead of the driver's
	46:  unavailable, // used by another process alone
	100: unavailable, // no device
	101: {nil, "nvidia-smi -L lists the devices"},
	209: {ErrUnavailable, "the kernels need a GPU of compute capability 7.0 or newer"},
	214: hardware, // memory error that cannot be corrected
	218: oldDriver,
	220: hardware, // NVLink
	222: oldDriver,
	700: fault,       // illegal address
	702: fault,       // kernel took longer than the system lets it
	710: fault,       // assertion
	714: fault,       // stack
	715: fault,       // illegal instruction
	716: fault,       // misaligned address
	717: fault,       // address space
	718: fault,       // program counter
	719: fault,       // any other
	802: unavailable, // system not ready
	803: {ErrUnavailable, "the driver's library and the driver in the kernel are of different versions; restart " +
		"the machine after an update"},
	804: oldDriver,
	999: unavailable,
}

// Is makes [errors.Is] work with the errors of this package.
func (e *Error) Is(target error) bool {
	k, ok := kinds[e.Code]
	return ok && k.is == target
}

// Hint returns advice for the user, or "".
func (e *Error) Hint() string { return kinds[e.Code].hint }

// An unusable is an error of the system or its driver, not of a call.
type unusable struct {
	error
	hint string
}

func (u unusable) Is(target error) bool { return target == ErrUnavailable }
func (u unusable) Unwrap() error        { return u.error }
func (u unusable) Hint() string         { return u.hint }

// failure returns the error of a call that did not return 0.
func (l *Library) failure(c call, code int) error {
	return &Error{
		Call: c.String(),
		Code: code,
		Name: l.describe(cuGetErrorName, code, "unknown error"),
		Text: l.describe(cuGetErrorString, code, "the driver does not explain it"),
	}
}

// describe asks the driver for the name or the explanation of a code.
func (l *Library) describe(c call, code int, otherwise string) string {
	var text *byte // text in the library's memory
	if CallC(l.address[c], uintptr(code), uintptr(unsafe.Pointer(&text))) != 0 || text == nil {
		return otherwise
	}
	return cString(text)
}

// cString copies a text of C.
func cString(text *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// detail adds to an error of CUDA the operation that failed.
func detail(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*Error](err); ok {
		said := fmt.Sprintf(format, args...)
		if e.Detail != "" {
			said += ", " + e.Detail
		}
		e.Detail = said
	}
	return err
}
