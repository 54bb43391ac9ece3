package probe

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// WriteText writes a report for people.
func (r *Report) WriteText(w io.Writer) error {
	var text strings.Builder
	if r.CUDA != "" {
		fmt.Fprintf(&text, "driver %s, CUDA %s\n", cmp.Or(r.Driver, "of unknown release"), r.CUDA)
	}
	for _, d := range r.Devices {
		fmt.Fprintf(&text, "%s: %s, compute capability %s, %d multiprocessors\n", d.Device, d.Name,
			d.Capability, d.Multiprocessors)
		if d.Problem != "" {
			fmt.Fprintf(&text, "  cannot be used: %s\n", d.Problem)
			continue
		}
		const gib = 1 << 30
		fmt.Fprintf(&text, "  memory  %.1f GiB, %.1f GiB of it free\n", float64(d.MemoryBytes)/gib,
			float64(d.FreeBytes)/gib)
		fmt.Fprintf(&text, "  copy    %.4g GB/s\n", d.CopyBytesPerSecond/1e9)
		fmt.Fprintf(&text, "  launch  %.3g µs, in a graph %.3g µs\n", d.LaunchSeconds*1e6, d.GraphLaunchSeconds*1e6)
	}
	if r.Problem != "" {
		fmt.Fprintf(&text, "no GPU: %s\n", r.Problem)
	}
	if r.Hint != "" {
		fmt.Fprintf(&text, "hint: %s\n", r.Hint)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
