package dealer

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamebots/acpc"
)

// defaults are the options of a command line without any.
func defaults(change func(*options)) options {
	o := options{limits: DefaultLimits, operands: []string{"m"}}
	o.limits.Start = -1
	change(&o)
	return o
}

func TestOptions(t *testing.T) {
	tests := []struct {
		args string
		want options
	}{
		{"m", defaults(func(*options) {})},
		{"-q m -fT", defaults(func(o *options) { o.quiet, o.fixed, o.transactions = true, true, true })},
		{"m -l -L -T -t", defaults(func(*options) {})},
		{"m -la", defaults(func(o *options) { o.noLog, o.append = true, true })},
		{"m -qp 5000,0", defaults(func(o *options) { o.quiet, o.ports = true, [acpc.MaxPlayers]uint16{5000} })},
		{"m -p1,80000,-1", defaults(func(o *options) {
			o.ports = [acpc.MaxPlayers]uint16{1, 14464, 65535}
			o.warnings = []string{
				"port 80000 is not from 0 to 65535, and 14464 is used",
				"port -1 is not from 0 to 65535, and 65535 is used",
			}
		})},
		{"m --t_response 5 --t_hand=7", defaults(func(o *options) {
			o.limits.Response, o.limits.Hand = 5*time.Millisecond, 7*time.Millisecond
		})},
		{"m --t 5 --start 0", defaults(func(o *options) { o.limits.Response, o.limits.Start = 5*time.Millisecond, 0 })},
		{"m --start_timeout -100", defaults(func(*options) {})},
		{"m --t_hand 99999999999999999999999",
			defaults(func(o *options) { o.limits.Hand = 9223372036854 * time.Millisecond })},
		{"m --strict-original", defaults(func(o *options) { o.strictOriginal = true })},
		{"m - -- -q --x", defaults(func(o *options) { o.operands = []string{"m", "-", "-q", "--x"} })},
	}
	for _, tt := range tests {
		got, err := parseOptions(strings.Fields(tt.args))
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		if diff := cmp.Diff(tt.want, *got, cmp.AllowUnexported(options{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.args, diff)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	const unknown = "ERROR: unknown option ?\n"
	for args, want := range map[string]string{
		"m -z":                 "dealer: invalid option -- 'z'\n" + unknown,
		"m -1":                 "dealer: invalid option -- '1'\n" + unknown,
		"m -qp":                "dealer: option requires an argument -- 'p'\n" + unknown,
		"m --t_hand":           "dealer: option '--t_hand' requires an argument\n" + unknown,
		"m --append":           "dealer: unrecognized option '--append'\n" + unknown,
		"m --strict":           "dealer: unrecognized option '--strict'\n" + unknown,
		"m --t_hand x":         "ERROR: could not get player hand timeout from x\n",
		"m --t_response x":     "ERROR: could not get response timeout from x\n",
		"m --t_per_hand x":     "ERROR: could not get average player hand timeout from x\n",
		"m --start_timeout=ms": "ERROR: could not get start timeout ms\n",
		"m -p x":               "ERROR: bad port string x\n",
		"m -p 5000,":           "ERROR: bad port string 5000,\n",
		"m -p 5000x":           "ERROR: bad port string 5000x\n",
	} {
		if _, err := parseOptions(strings.Fields(args)); err == nil || originalText(err) != want {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
