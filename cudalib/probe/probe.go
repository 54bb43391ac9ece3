package probe

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"gamebots/cudalib"
	"gamebots/cudalib/driver"
)

// A Report describes the GPUs of a machine.
type Report struct {
	Usable  bool           `json:"usable"`
	Problem string         `json:"problem,omitempty"` // why nothing is usable, and
	Hint    string         `json:"hint,omitempty"`    // advice for the user
	Driver  string         `json:"driver,omitempty"`  // the release of NVIDIA's driver, if known
	CUDA    string         `json:"cuda,omitempty"`    // the newest CUDA that it supports
	Devices []DeviceReport `json:"devices,omitempty"`
}

// A DeviceReport describes one GPU. The last three figures are those of [Speed].
type DeviceReport struct {
	Device             string  `json:"device"` // as a [cudalib.Choice] has it
	Name               string  `json:"name"`
	Problem            string  `json:"problem,omitempty"` // why it is not usable
	Capability         string  `json:"compute_capability"`
	Multiprocessors    int     `json:"multiprocessors"`
	MemoryBytes        int64   `json:"memory_bytes"`
	FreeBytes          int64   `json:"free_bytes"`
	CopyBytesPerSecond float64 `json:"copy_bytes_per_second"`
	LaunchSeconds      float64 `json:"launch_seconds"`
	GraphLaunchSeconds float64 `json:"graph_launch_seconds"`
}

// Run runs a program that writes a [Report] as JSON, which Survey makes, and
// returns it. A driver that hangs or crashes takes the other program with it,
// and is a problem in the report, as is everything else.
func Run(ctx context.Context, program string, args ...string) Report {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var report Report
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return unusable(cudalib.ErrNoAnswer)
	case err != nil:
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return Report{Problem: strings.TrimSuffix(fmt.Sprintf("the program that asks the driver failed: %v: %s",
			err, said), ": "), Hint: "see whether nvidia-smi works"}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		return Report{Problem: fmt.Sprintf("the program that asks the driver wrote no report: %v", err)}
	}
	return report
}

// Survey looks for GPUs and measures each, in this process.
func Survey() Report {
	library, err := driver.Open()
	if err != nil {
		return unusable(err)
	}
	r := Report{Driver: kernelDriver(), CUDA: library.Version().String()}
	infos, err := library.Devices()
	if err != nil {
		return unusable(err)
	}
	for _, info := range infos {
		d := DeviceReport{
			Device: cudalib.GPU(info.Ordinal).String(), Name: info.Name, Capability: info.Capability.String(),
			Multiprocessors: info.Multiprocessors, MemoryBytes: info.Memory,
		}
		if err := d.measure(library, info.Ordinal); err != nil {
			d.Problem = err.Error()
		} else {
			r.Usable = true
		}
		r.Devices = append(r.Devices, d)
	}
	if !r.Usable {
		r.Problem = "none of the devices is usable"
	}
	return r
}

func unusable(err error) Report {
	r := Report{Problem: err.Error()}
	if h := (interface{ Hint() string })(nil); errors.As(err, &h) {
		r.Hint = h.Hint()
	}
	return r
}

// measure fills in the fields that need an open device.
func (r *DeviceReport) measure(library *driver.Library, ordinal int) error {
	d, err := library.Device(ordinal)
	if err != nil {
		return err
	}
	var speed Speed
	if r.FreeBytes, _, err = d.Memory(); err == nil {
		speed, err = Measure(d)
	}
	r.CopyBytesPerSecond = speed.Copy
	r.LaunchSeconds, r.GraphLaunchSeconds = speed.Launch.Seconds(), speed.GraphLaunch.Seconds()
	return errors.Join(err, d.Close())
}

// kernelDriver returns the release of the driver in the system's kernel, as
// "580.159.04", or "".
func kernelDriver() string {
	text, err := os.ReadFile("/sys/module/nvidia/version")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

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

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
