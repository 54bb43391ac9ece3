package cudalib

import "gamebots/cudalib/driver"

// Device is an open GPU, for the packages of kernels to run on.
type Device = driver.Device

// MemoryError is returned for work that needs more memory than is free on a device.
type MemoryError = driver.MemoryError
