//go:build unix

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"gamebots/internal/shutdown"

	"github.com/spf13/cobra"
)

// A second interrupt ends a program at once, also one that a script has started with &, which ignores interrupts.
func TestSecondSignal(t *testing.T) {
	if os.Getenv("GAMEBOTS_BUSY") != "" {
		os.Args = os.Args[:1]
		Main(&cobra.Command{Use: "busy", RunE: func(cmd *cobra.Command, _ []string) error {
			shutdown.Inhibit("working")
			fmt.Println("begun")
			<-cmd.Context().Done()
			fmt.Println("asked")
			select {}
		}})
	}
	for _, trap := range []string{"", "trap '' INT; "} {
		cmd := exec.Command("sh", "-c", trap+`exec "$0" -test.run TestSecondSignal`, os.Args[0])
		cmd.Env = append(os.Environ(), "GAMEBOTS_BUSY=yes")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		hung := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			time.Sleep(100 * time.Millisecond) // what Main does at the signal
			_ = cmd.Process.Signal(os.Interrupt)
		}
		if err := cmd.Wait(); err == nil || !hung.Stop() {
			t.Errorf("%sit did not end: %v", trap, err)
		}
	}
}
