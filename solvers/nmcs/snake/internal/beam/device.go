package beam

import (
	"context"
	"errors"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// RunOnDevice is [Run] on a device, for a problem without a goal.
func RunOnDevice(
	ctx context.Context, d *cudalib.Device, p *Problem, onProgress func(Progress),
) (path cube.Sequence, work nmcs.Work, err error) {
	unlock := make([]uint32, p.Dimension)
	for m := range unlock {
		unlock[m] = uint32(p.Unlock[m])
	}
	b, err := snakegpu.NewBeam(d, snakegpu.BeamSpec{
		Dimension: p.Dimension, Width: p.Width, Salt: p.Salt(),
		Free: Words32(p.Free), Head: uint32(p.Head), Allowed: uint32(p.Allowed),
		Unlock: unlock, Images: slices.Concat(p.Images...),
	})
	if err != nil {
		return nil, work, err
	}
	path, err = p.stepOnDevice(ctx, b, &work, onProgress)
	return path, work, errors.Join(err, b.Close())
}

func (p *Problem) stepOnDevice(
	ctx context.Context, b *snakegpu.Beam, work *nmcs.Work, onProgress func(Progress),
) (cube.Sequence, error) {
	for step := 1; ctx.Err() == nil; step++ {
		children, kept, err := b.Step()
		if err != nil {
			return nil, err
		}
		if kept == 0 {
			break
		}
		work.Steps += uint64(children)
		p.progress(onProgress, step, kept, *work)
	}
	moves, err := b.Best()
	return slices.Concat(p.Begin, moves), err
}
