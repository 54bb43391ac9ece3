package registry_test

import (
	"os"
	"runtime"
	"testing"

	"gamebots/bots/registry"
	"gamebots/solvers/policy"
)

// A server that is killed leaves no files behind: those of trained strategies are gone while they are used.
func TestTrainedStrategiesLeaveNoFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files stay here")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	all, closeAll, err := registry.OpenPoker(nil, func(file string) (*policy.Policy, error) {
		return policy.Open(file, 1<<30, nil)
	})
	defer closeAll()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d strategies, %v", len(all), err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := all[0].Policy.Verify(); err != nil {
		t.Error(err)
	}
}
