package driver

// A call is a function of the driver's library, by its number. The numbers of
// the attributes and flags below are those of CUDA's driver API reference.
type call int

// The calls. A suffix tells the version of a call; the library keeps the older
// ones for programs like this.
var (
	cuInit             = newCall("cuInit")
	cuDriverGetVersion = newCall("cuDriverGetVersion")
	cuGetErrorName     = newCall("cuGetErrorName")
	cuGetErrorString   = newCall("cuGetErrorString")

	cuDeviceGetCount          = newCall("cuDeviceGetCount")
	cuDeviceGet               = newCall("cuDeviceGet")
	cuDeviceGetName           = newCall("cuDeviceGetName")
	cuDeviceTotalMem          = newCall("cuDeviceTotalMem_v2")
	cuDeviceGetAttribute      = newCall("cuDeviceGetAttribute")
	cuDevicePrimaryCtxRetain  = newCall("cuDevicePrimaryCtxRetain")
	cuDevicePrimaryCtxRelease = newCall("cuDevicePrimaryCtxRelease_v2")
	cuCtxSetCurrent           = newCall("cuCtxSetCurrent")

	cuMemGetInfo      = newCall("cuMemGetInfo_v2")
	cuMemAlloc        = newCall("cuMemAlloc_v2")
	cuMemFree         = newCall("cuMemFree_v2")
	cuMemAllocHost    = newCall("cuMemAllocHost_v2")
	cuMemFreeHost     = newCall("cuMemFreeHost")
	cuMemcpyHtoDAsync = newCall("cuMemcpyHtoDAsync_v2")
	cuMemcpyDtoHAsync = newCall("cuMemcpyDtoHAsync_v2")
	cuMemsetD8Async   = newCall("cuMemsetD8Async")

	cuModuleLoadDataEx                          = newCall("cuModuleLoadDataEx")
	cuModuleUnload                              = newCall("cuModuleUnload")
	cuModuleGetFunction                         = newCall("cuModuleGetFunction")
	cuFuncSetAttribute                          = newCall("cuFuncSetAttribute")
	cuOccupancyMaxActiveBlocksPerMultiprocessor = newCall("cuOccupancyMaxActiveBlocksPerMultiprocessor")
	cuLaunchKernel                              = newCall("cuLaunchKernel")

	cuStreamCreate       = newCall("cuStreamCreate")
	cuStreamDestroy      = newCall("cuStreamDestroy_v2")
	cuStreamSynchronize  = newCall("cuStreamSynchronize")
	cuStreamWaitEvent    = newCall("cuStreamWaitEvent")
	cuStreamBeginCapture = newCall("cuStreamBeginCapture_v2")
	cuStreamEndCapture   = newCall("cuStreamEndCapture")

	cuEventCreate      = newCall("cuEventCreate")
	cuEventDestroy     = newCall("cuEventDestroy_v2")
	cuEventRecord      = newCall("cuEventRecord")
	cuEventSynchronize = newCall("cuEventSynchronize")
	cuEventElapsedTime = newCall("cuEventElapsedTime")

	cuGraphInstantiateWithFlags = newCall("cuGraphInstantiateWithFlags")
	cuGraphLaunch               = newCall("cuGraphLaunch")
	cuGraphExecDestroy          = newCall("cuGraphExecDestroy")
	cuGraphDestroy              = newCall("cuGraphDestroy")
)

// symbols are the names that the calls have in the library.
var symbols []string

func newCall(symbol string) call {
	symbols = append(symbols, symbol)
	return call(len(symbols) - 1)
}

func (c call) String() string { return symbols[c] }

// Attributes of devices and functions.
const (
	deviceMultiprocessors   = 16
	deviceL2Bytes           = 38
	deviceCapabilityMajor   = 75
	deviceCapabilityMinor   = 76
	deviceSharedBytesOptIn  = 97
	functionMaxSharedBytes  = 8
	jitErrorLog             = 5
	jitErrorLogBytes        = 6
	streamNonBlocking       = 1
	streamCaptureThreadOnly = 1
)
