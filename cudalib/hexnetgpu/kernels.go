package hexnetgpu

import (
	"embed"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// learningKernels are the kernels of a Learner.
type learningKernels struct {
	planes      *launch.Kernel[planesParams]
	convolve    *launch.Kernel[convolveParams]
	pool        *launch.Kernel[poolParams]
	heads       *launch.Kernel[headsParams]
	unpool      *launch.Kernel[unpoolParams]
	gradient    *launch.Kernel[gradientParams]
	mapGradient *launch.Kernel[mapGradientParams]
	addParts    *launch.Kernel[addPartsParams]
	scale       *launch.Kernel[scaleParams]
	adamw       *launch.Kernel[adamwParams]
}

func findLearningKernels(l *launch.Launcher, suffix string) learningKernels {
	return learningKernels{
		launch.Find[planesParams](l, "hexnet_planes"), launch.Find[convolveParams](l, "hexnet_convolve"+suffix),
		launch.Find[poolParams](l, "hexnet_pool"), launch.Find[headsParams](l, "hexnet_heads"),
		launch.Find[unpoolParams](l, "hexnet_unpool"),
		launch.Find[gradientParams](l, "hexnet_gradient"+suffix),
		launch.Find[mapGradientParams](l, "hexnet_map_gradient"),
		launch.Find[addPartsParams](l, "hexnet_add_parts"), launch.Find[scaleParams](l, "hexnet_scale"),
		launch.Find[adamwParams](l, "hexnet_adamw"),
	}
}

// The parameters of the kernels, see gradient.cuh, learning.cuh and learning.cu.
type (
	planesParams struct {
		Bytes driver.Pinned[uint8]
		Words driver.Buffer[uint32]
		N     uint32
	}
	convolveParams struct {
		X                                                driver.Buffer[uint32]
		Near                                             driver.Buffer[uint16]
		Weights                                          driver.Buffer[uint32]
		Biases                                           driver.Buffer[float32]
		Mask                                             driver.Buffer[uint32]
		Stream                                           driver.Buffer[float32]
		To                                               driver.Buffer[uint32]
		Boards, Cells, In, Channels, Capacity, Add, Relu uint32
	}
	poolParams struct {
		T               driver.Buffer[uint32]
		Weights, Pooled driver.Buffer[float32]
		To              driver.Buffer[uint32]
		Cells, Channels uint32
		Scale           float32
	}
	unpoolParams struct {
		T               driver.Buffer[uint32]
		Weights         driver.Buffer[float32]
		D               driver.Buffer[uint32]
		DShift          driver.Buffer[float32]
		Cells, Channels uint32
		Scale           float32
	}
	targetParams struct { // what the network is to learn
		Policy    driver.Pinned[float32]
		Reply     driver.Pinned[int16]
		Structure driver.Pinned[int8]
		Value     driver.Pinned[float32]
		Kinds     driver.Pinned[uint8]
	}
	headsParams struct {
		F                               driver.Buffer[uint32]
		ToCells, ToHidden, ToBoard      driver.Buffer[float32]
		Targets                         targetParams
		Pooled, Units, DUnits, DOutputs driver.Buffer[float32]
		Losses                          driver.Pinned[float64]
		Stream                          driver.Buffer[float32]
		D                               driver.Buffer[uint32]
		Sums                            driver.Buffer[float32]
		Boards, Cells, Channels, Parts  uint32
		Scale                           float32
	}
	gradientParams struct {
		X, D                                    driver.Buffer[uint32]
		Near                                    driver.Buffer[uint16]
		Sums                                    driver.Buffer[float32]
		Boards, Cells, In, Out, Capacity, Parts uint32
	}
	mapGradientParams struct {
		X, D, Sums                     driver.Buffer[float32]
		Boards, In, Out, Biased, Parts uint32
	}
	addPartsParams struct {
		Gradient, Sums driver.Buffer[float32]
		N, Parts       uint32
	}
	scaleParams struct {
		Gradient driver.Buffer[float32]
		Squares  driver.Pinned[float64]
		N        uint32
		Factor   float32
	}
	adamwParams struct {
		Gradient                                driver.Buffer[float32]
		Decays                                  driver.Buffer[uint8]
		Parameters, Average, Momentum, Variance driver.Buffer[float32]
		N                                       uint32
		Towards                                 float32
		Scale, Bias1, Bias2, Rate               float64
	}
)

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
