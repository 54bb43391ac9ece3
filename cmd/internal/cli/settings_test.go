package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestSettings(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		want   string // a part of the output
	}{
		{"make tea", ExitDone, "tea 0 false 80"},
		{"make tea --set sugar=3 --set milk --set heat=95", ExitDone, "tea 3 true 95"},
		{"make tea --sugar 2 --milk", ExitDone, "tea 2 true 80"},
		{"make --set help", ExitDone, "; a cup of strong black tea with\n               --milk wants"},
		{"make --set help", ExitDone, "  sugar uint   spoons of it"},
		{"make tea --set suger=3", ExitUsage, "there is no setting suger, the nearest is sugar"},
		{"make tea --set lemon=1", ExitUsage, "there is no setting lemon, and --set help lists them"},
		{"make tea --set sugar", ExitUsage, "sugar needs a value, as in sugar=VALUE"},
		{"make tea --set sugar=much", ExitUsage, `"sugar=much" for "--set" flag: not a whole number from 0 up`},
		{"make tea --set cups=two", ExitUsage, `"cups=two" for "--set" flag: want one`},
		{"make", ExitUsage, "an argument is missing"},
		{"make tea --set oven=5", ExitDone, "tea 0 false 80"}, // a flag that is no setting
		{"make --help", ExitDone, "  cups, heat, milk, sugar"},
	} {
		var sugar, heat uint
		var milk bool
		cmd := &cobra.Command{Use: "make DRINK", Args: Arguments(1, 1)}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			cmd.Println(args[0], sugar, milk, heat)
			return nil
		}
		cmd.Flags().UintVar(&sugar, "sugar", 0, "spoons of it")
		cmd.Flags().BoolVar(&milk, "milk", false, "with milk")
		cmd.Flags().UintVar(&heat, "heat", 80,
			"degrees of the water; a cup of strong black tea with --milk wants more than 90")
		cmd.Flags().Uint("oven", 0, "no setting")
		cmd.Flags().Func("cups", "how `many`", func(string) error { return errors.New("want one") })
		Settings(cmd, "sugar", "milk", "heat", "cups")
		root := &cobra.Command{Use: "kitchen", RunE: func(*cobra.Command, []string) error { return nil }}
		root.AddCommand(cmd)
		Program(root)
		var out bytes.Buffer
		status := Run(context.Background(), root, strings.Fields(test.args), &out, &out)
		if status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: status %d, want %d and %q in:\n%s", test.args, status, test.status, test.want, out.String())
		}
	}
}
