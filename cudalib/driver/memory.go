package driver

import "fmt"

// A MemoryError is work that needs more memory than is free on a device.
type MemoryError struct {
	Device     string
	Need, Free int64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%d MiB of memory are needed on %s, %d MiB are free", e.Need>>20, e.Device, e.Free>>20)
}

// RequireMemory returns a [*MemoryError] where fewer bytes are free on the device
// than are needed.
func (d *Device) RequireMemory(need int64) error {
	free, _, err := d.Memory()
	if err == nil && need > free {
		err = &MemoryError{d.String(), need, free}
	}
	return err
}
