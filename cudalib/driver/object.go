package driver

import "fmt"

// An object is something on a device that has to be closed.
type object struct {
	dev    *Device
	kind   string
	handle uintptr // 0 once it is closed
	closer call
}

// newObject counts an object as open. Only the owner may call it.
func newObject(d *Device, kind string, handle uintptr, closer call) object {
	d.open[kind]++
	return object{d, kind, handle, closer}
}

// Close frees the object on the device, after the work that uses it. It must
// not be used any more.
func (o *object) Close() error {
	return o.dev.Do(func() error {
		if err := o.on(o.dev); err != nil {
			return err
		}
		err := o.dev.explain(o.dev.lib.call(o.closer, o.handle))
		o.handle = 0
		o.dev.open[o.kind]--
		return err
	})
}

// on returns an error unless the object is open and on a device.
func (o *object) on(d *Device) error {
	switch {
	case o.dev != d:
		return fmt.Errorf("a %s of %v is used on %v", o.kind, o.dev, d)
	case o.handle == 0:
		return fmt.Errorf("a %s of %v is %w", o.kind, o.dev, ErrClosed)
	}
	return nil
}
