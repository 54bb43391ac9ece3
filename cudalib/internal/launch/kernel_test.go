//go:build linux

package launch_test

import (
	"embed"
	"errors"
	"slices"
	"strings"
	"testing"

	"gamebots/cudalib/cudatest"
	"gamebots/cudalib/driver"
	"gamebots/cudalib/havannahgpu"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/probe"
)

// copyParams are the parameters of copy_words4.
type copyParams struct {
	To, From driver.Buffer[uint32]
	N        uint64
}

func open(t *testing.T, family string, of embed.FS, modules ...string) *launch.Launcher {
	t.Helper()
	l := launch.New(cudatest.OpenFake(t, "", family), of, modules...)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestLaunch(t *testing.T) {
	l := open(t, "probe", probe.Modules, "copy")
	words := []uint32{1, 2, 3, 4, 5, 6, 7, 8}
	from, to := launch.Upload(l, words), launch.Alloc[uint32](l, len(words))
	kernel := launch.Find[copyParams](l, "copy_words4")
	if blocks := launch.Blocks(l, kernel, 64, 0); blocks < 1 || l.Err != nil {
		t.Fatalf("%d blocks: %v", blocks, l.Err)
	}
	grid := driver.Grid{Blocks: 1, Threads: 64}
	got := make([]uint32, len(words))
	err := errors.Join(kernel.Launch(l.Stream, grid, copyParams{to, from, 2}), to.Download(l.Stream, got))
	if err != nil || !slices.Equal(got, words) {
		t.Errorf("copied %v: %v", got, err)
	}
	// A launch with a struct allocates no more than one with arguments that are there.
	args := []driver.Arg{to.Arg(), from.Arg(), driver.U64(2)}
	err = l.Device.Do(func() error {
		plain := testing.AllocsPerRun(10, func() {
			err = errors.Join(err, kernel.Kernel.Launch(l.Stream, grid, args...))
		})
		if n := testing.AllocsPerRun(10,
			func() { err = errors.Join(err, kernel.Launch(l.Stream, grid, copyParams{to, from, 2})) }); n > plain {
			t.Errorf("%v allocations a launch, %v without a struct", n, plain)
		}
		return errors.Join(err, l.Stream.Sync())
	})
	if err != nil {
		t.Error(err)
	}
}

// Parameters are compared with the kernel's when it is found.
func TestParams(t *testing.T) {
	type game struct{ N uint64 }
	for name, find := range map[string]func(l *launch.Launcher){
		"": func(l *launch.Launcher) { launch.Find[copyParams](l, "copy_words4") },
		"nested": func(l *launch.Launcher) {
			launch.Find[struct {
				To, From driver.Arg
				Game     game
			}](l, "copy_words4")
		},
		"2 arguments for 3": func(l *launch.Launcher) { launch.Find[struct{ To, From driver.Arg }](l, "copy_words4") },
		"has 4 bytes": func(l *launch.Launcher) {
			launch.Find[struct {
				To, From driver.Arg
				N        uint32
			}](l, "copy_words4")
		},
		"module copy has no kernel x": func(l *launch.Launcher) { launch.Find[copyParams](l, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, "probe", probe.Modules, "copy")
			find(l)
			if good := name == "" || name == "nested"; good != (l.Err == nil) ||
				!good && !strings.Contains(l.Err.Error(), name) {
				t.Errorf("error %v", l.Err)
			}
		})
	}
}

// A kernel is found in any of the modules.
func TestOtherModule(t *testing.T) {
	l := open(t, "havannah", havannahgpu.Modules, "rate", "search")
	if launch.Find[struct{}](l, "gumbel_search"); l.Err == nil || !strings.Contains(l.Err.Error(), "0 arguments for") {
		t.Errorf("error %v", l.Err)
	}
}
