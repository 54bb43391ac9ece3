package driver

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"unsafe"
)

// The least that the kernels and this package need.
const (
	// minVersion is CUDA 11.4, the first with cuGraphInstantiateWithFlags.
	minVersion Version = 11040
	// minCapability is that of Volta, for which the PTX is compiled: the
	// first whose threads make progress one by one.
	minCapability Capability = 70
)

// A Version is the newest CUDA that a driver supports, 1000 times the major
// number and 10 times the minor one.
type Version int

func (v Version) String() string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// A Capability is a GPU's generation, 10 times the major number and the minor
// one.
type Capability int

func (c Capability) String() string { return fmt.Sprintf("%d.%d", c/10, c%10) }

// A Library is NVIDIA's driver, loaded into this process. It stays loaded.
// Any goroutine may use it.
type Library struct {
	version Version
	address []uintptr // those of the calls
}

// Open loads the system's driver. An error of it is [ErrUnavailable].
func Open() (*Library, error) { return Load(FileName) }

// Load loads a driver from a path, or by a name that the system looks for.
func Load(path string) (*Library, error) {
	if !Supported {
		return nil, unusable{errors.New("this build of the program has no GPU support"),
			"build it without the tag nogpu, for Linux on amd64 or arm64, or for Windows on amd64"}
	}
	handle, err := OpenShared(path)
	if err != nil {
		return nil, unusable{fmt.Errorf("no NVIDIA driver: %w", err),
			"on a machine with an NVIDIA GPU, install NVIDIA's driver; there is nothing else to install"}
	}
	l := &Library{address: make([]uintptr, len(symbols))}
	var missing error // the first
	lacking := 0
	for c, name := range symbols {
		if l.address[c], err = Symbol(handle, name); err != nil {
			missing = cmp.Or(missing, err)
			lacking++
		}
	}
	// The version first: for an old driver it explains more than a missing function.
	if l.address[cuDriverGetVersion] != 0 {
		if code := CallC(l.address[cuDriverGetVersion], uintptr(unsafe.Pointer(&l.version))); code == 0 &&
			l.version < minVersion {
			return nil, unusable{fmt.Errorf("%s: the driver is for CUDA %v, and at least %v is needed", path, l.version,
				minVersion), oldDriver.hint}
		}
	}
	if missing != nil {
		if lacking > 1 {
			missing = fmt.Errorf("%w, and %d more", missing, lacking-1)
		}
		return nil, unusable{fmt.Errorf("%s: the driver lacks functions: %w", path, missing), oldDriver.hint}
	}
	if err := l.call(cuInit, 0); err != nil {
		return nil, unusable{fmt.Errorf("%s: %w", path, err), unavailable.hint}
	}
	return l, nil
}

// Version returns the newest CUDA that the driver supports.
func (l *Library) Version() Version { return l.version }

// call calls a function of the library and makes its result an error.
//
//go:uintptrescapes
func (l *Library) call(c call, args ...uintptr) error {
	if code := CallC(l.address[c], args...); code != 0 {
		return l.failure(c, code)
	}
	return nil
}

// Info describes a device.
type Info struct {
	Ordinal         int // from 0, in the driver's order
	Name            string
	Capability      Capability
	Memory          int64 // bytes
	Multiprocessors int
	SharedPerBlock  int // bytes of shared memory that a block can have
	L2              int // bytes of the second-level cache
}

// Devices describes the devices that the driver shows to this process.
func (l *Library) Devices() ([]Info, error) {
	var n int32
	if err := l.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	infos := make([]Info, n)
	for i := range infos {
		_, info, err := l.describeDevice(i)
		if err != nil {
			return nil, fmt.Errorf("device %d: %w", i, err)
		}
		infos[i] = info
	}
	return infos, nil
}

// describeDevice returns the number by which the driver knows a device, and its
// description.
func (l *Library) describeDevice(ordinal int) (number int32, info Info, err error) {
	if err := l.call(cuDeviceGet, uintptr(unsafe.Pointer(&number)), uintptr(ordinal)); err != nil {
		return 0, Info{}, err
	}
	name := make([]byte, 256)
	if err := l.call(cuDeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)),
		uintptr(number)); err != nil {
		return 0, Info{}, err
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	info = Info{Ordinal: ordinal, Name: string(name)}
	if err := l.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&info.Memory)), uintptr(number)); err != nil {
		return 0, Info{}, err
	}
	var major, minor int
	for _, a := range []struct {
		attribute uintptr
		value     *int
	}{
		{deviceCapabilityMajor, &major},
		{deviceCapabilityMinor, &minor},
		{deviceMultiprocessors, &info.Multiprocessors},
		{deviceSharedBytesOptIn, &info.SharedPerBlock},
		{deviceL2Bytes, &info.L2},
	} {
		var value int32
		if err := l.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&value)), a.attribute,
			uintptr(number)); err != nil {
			return 0, Info{}, err
		}
		*a.value = int(value)
	}
	info.Capability = Capability(10*major + minor)
	return number, info, nil
}
