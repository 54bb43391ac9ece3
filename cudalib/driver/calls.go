package driver

// A call is a function of the driver's library. The numbers of the attributes
// and flags below are those of CUDA's driver API reference.
type call int

const (
	cuInit call = iota
	cuDriverGetVersion
	cuGetErrorName
	cuGetErrorString

	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceTotalMem
	cuDeviceGetAttribute
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxSetCurrent

	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemAllocHost
	cuMemFreeHost
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemsetD8Async

	cuModuleLoadDataEx
	cuModuleUnload
	cuModuleGetFunction
	cuFuncSetAttribute
	cuOccupancyMaxActiveBlocksPerMultiprocessor
	cuLaunchKernel

	cuStreamCreate
	cuStreamDestroy
	cuStreamSynchronize
	cuStreamWaitEvent
	cuStreamBeginCapture
	cuStreamEndCapture

	cuEventCreate
	cuEventDestroy
	cuEventRecord
	cuEventSynchronize
	cuEventElapsedTime

	cuGraphInstantiateWithFlags
	cuGraphLaunch
	cuGraphExecDestroy
	cuGraphDestroy

	numCalls
)

// symbols are the names that the calls have in the library. A suffix tells the
// version of a call; the library keeps the older ones for programs like this.
var symbols = [numCalls]string{
	cuInit:             "cuInit",
	cuDriverGetVersion: "cuDriverGetVersion",
	cuGetErrorName:     "cuGetErrorName",
	cuGetErrorString:   "cuGetErrorString",

	cuDeviceGetCount:          "cuDeviceGetCount",
	cuDeviceGet:               "cuDeviceGet",
	cuDeviceGetName:           "cuDeviceGetName",
	cuDeviceTotalMem:          "cuDeviceTotalMem_v2",
	cuDeviceGetAttribute:      "cuDeviceGetAttribute",
	cuDevicePrimaryCtxRetain:  "cuDevicePrimaryCtxRetain",
	cuDevicePrimaryCtxRelease: "cuDevicePrimaryCtxRelease_v2",
	cuCtxSetCurrent:           "cuCtxSetCurrent",

	cuMemGetInfo:      "cuMemGetInfo_v2",
	cuMemAlloc:        "cuMemAlloc_v2",
	cuMemFree:         "cuMemFree_v2",
	cuMemAllocHost:    "cuMemAllocHost_v2",
	cuMemFreeHost:     "cuMemFreeHost",
	cuMemcpyHtoDAsync: "cuMemcpyHtoDAsync_v2",
	cuMemcpyDtoHAsync: "cuMemcpyDtoHAsync_v2",
	cuMemsetD8Async:   "cuMemsetD8Async",

	cuModuleLoadDataEx:  "cuModuleLoadDataEx",
	cuModuleUnload:      "cuModuleUnload",
	cuModuleGetFunction: "cuModuleGetFunction",
	cuFuncSetAttribute:  "cuFuncSetAttribute",
	cuOccupancyMaxActiveBlocksPerMultiprocessor: "cuOccupancyMaxActiveBlocksPerMultiprocessor",
	cuLaunchKernel: "cuLaunchKernel",

	cuStreamCreate:       "cuStreamCreate",
	cuStreamDestroy:      "cuStreamDestroy_v2",
	cuStreamSynchronize:  "cuStreamSynchronize",
	cuStreamWaitEvent:    "cuStreamWaitEvent",
	cuStreamBeginCapture: "cuStreamBeginCapture_v2",
	cuStreamEndCapture:   "cuStreamEndCapture",

	cuEventCreate:      "cuEventCreate",
	cuEventDestroy:     "cuEventDestroy_v2",
	cuEventRecord:      "cuEventRecord",
	cuEventSynchronize: "cuEventSynchronize",
	cuEventElapsedTime: "cuEventElapsedTime",

	cuGraphInstantiateWithFlags: "cuGraphInstantiateWithFlags",
	cuGraphLaunch:               "cuGraphLaunch",
	cuGraphExecDestroy:          "cuGraphExecDestroy",
	cuGraphDestroy:              "cuGraphDestroy",
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
