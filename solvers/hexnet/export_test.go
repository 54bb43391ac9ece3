package hexnet

import (
	"errors"
	"fmt"
)

// Gradient returns the gradient of the mean loss of a batch.
func (t *Trainer) Gradient(s *Shape, planes []uint8, targets *Targets) ([]float32, Losses, error) {
	return t.gradient(s, planes, targets)
}

// Gradient returns the gradient of the mean loss of a batch. It calls meanwhile while the device
// computes it.
func (t *DeviceTrainer) Gradient(s *Shape, planes []uint8, targets *Targets,
	meanwhile func() error) ([]float32, Losses, error) {
	if err := t.Prepare(s, planes, targets); err != nil {
		return nil, Losses{}, err
	}
	if err := t.Start(0); err != nil {
		return nil, Losses{}, err
	}
	failed := meanwhile()
	losses, _, err := t.losses()
	gradient := make([]float32, len(t.state.Net.Parameters))
	return gradient, losses, errors.Join(failed, err, t.gpu.ReadGradient(gradient))
}

// Update makes a step of AdamW with a gradient.
func (t *Trainer) Update(gradient []float32, rate float64) { t.update(gradient, rate) }

// Layers calls f with the parameters of each layer.
func (n *Net) Layers(f func(name string, first, end int)) {
	l := n.Config.layers()
	layer := func(name string, l layer) {
		if l.out > 0 {
			f(name+" weights", l.weights, l.weights+l.numWeights())
		}
		if l.bias >= 0 && l.out > 0 {
			f(name+" biases", l.bias, l.bias+l.out)
		}
	}
	layer("stem", l.stem)
	for i, b := range l.blocks {
		layer(fmt.Sprint("conv1 of block ", i), b.conv1)
		layer(fmt.Sprint("pool of block ", i), b.pool)
		layer(fmt.Sprint("conv2 of block ", i), b.conv2)
	}
	layer("cells", l.cells)
	layer("hidden", l.hidden)
	layer("board", l.board)
}
