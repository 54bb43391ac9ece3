package cudalib

import "gamebots/cudalib/driver"

// Device is an open GPU, for the packages of kernels to run on.
type Device = driver.Device

// MemoryError is returned for work that needs more memory than is free on a device.
type MemoryError = driver.MemoryError

// ErrOutOfMemory is the error of an allocation for which a device has too little memory left.
var ErrOutOfMemory = driver.ErrOutOfMemory
