package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// benchProgram measures gamebots.
const benchProgram = "gamebench"

// newBench is the command that ran benchmarks before they were a program of their own. It
// becomes that program.
func newBench() *cobra.Command {
	return explain(&cobra.Command{
		Use:                "bench [ARGUMENTS OF GAMEBENCH]",
		Short:              "Run gamebench, which measures this program",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			program, err := cli.Beside(benchProgram)
			if err != nil {
				return err
			}
			line := strings.Join(append([]string{benchProgram}, args...), " ")
			fmt.Fprintf(cmd.ErrOrStderr(), "gamebots: hint: benchmarks are a program of their own: %s\n", line)
			err = syscall.Exec(program, append([]string{program}, args...), os.Environ())
			return usererr.WithHint(fmt.Errorf("cannot become %s: %w", program, err), "run "+line) // Windows cannot
		},
	}, "bench")
}
