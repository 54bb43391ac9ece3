package hexnet

// Gradient returns the gradient of the mean loss of a batch.
func (t *Trainer) Gradient(s *Shape, planes []uint8, targets *Targets) ([]float32, Losses, error) {
	return t.gradient(s, planes, targets)
}
