package dealer

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gamebots/acpc"
)

// options are the options and operands of the original's command line.
type options struct {
	operands []string // matchName gameDefFile #Hands rngSeed p1name p2name ...

	fixed, quiet        bool
	noLog, transactions bool
	append              bool
	ports               [acpc.MaxPlayers]uint16
	limits              Limits
	strictOriginal      bool

	warnings []string
}

// parseOptions reads a command line as the original does, with getopt_long of the GNU C
// library: options may stand anywhere before "--", short ones may share a dash, and long
// ones may be abbreviated.
func parseOptions(args []string) (*options, error) {
	o := &options{limits: DefaultLimits}
	o.limits.Start = -1
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		var err error
		switch {
		case arg == "--":
			o.operands = append(o.operands, args...)
			return o, nil
		case strings.HasPrefix(arg, "--"):
			args, err = o.long(arg, args)
		case len(arg) > 1 && arg[0] == '-':
			args, err = o.short(arg[1:], args)
		default:
			o.operands = append(o.operands, arg)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// short reads the letters behind one dash and returns the arguments left.
func (o *options) short(letters string, args []string) ([]string, error) {
	for i := range len(letters) {
		switch letter := letters[i]; letter {
		case 'f':
			o.fixed = true
		case 'l':
			o.noLog = true
		case 'L':
			o.noLog = false
		case 'q':
			o.quiet = true
		case 't':
			o.transactions = false
		case 'T':
			o.transactions = true
		case 'a':
			o.append = true
		case 'p':
			value := letters[i+1:]
			if value == "" {
				if len(args) == 0 {
					return nil, getoptError("option requires an argument -- '%c'", letter)
				}
				value, args = args[0], args[1:]
			}
			return args, o.setPorts(value)
		default:
			return nil, getoptError("invalid option -- '%c'", letter)
		}
	}
	return args, nil
}

// strictOption is the only option that the original does not have. It cannot be
// abbreviated, so that every abbreviation is one of the original's.
const strictOption = "--strict-original"

// longOptions are the original's long options, all times in milliseconds, with their
// names in its errors.
var longOptions = []struct {
	name, what string
	time       func(*Limits) *time.Duration
}{
	{"--t_response", "response timeout from", func(l *Limits) *time.Duration { return &l.Response }},
	{"--t_hand", "player hand timeout from", func(l *Limits) *time.Duration { return &l.Hand }},
	{"--t_per_hand", "average player hand timeout from", func(l *Limits) *time.Duration { return &l.PerHand }},
	{"--start_timeout", "start timeout", func(l *Limits) *time.Duration { return &l.Start }},
}

// long reads one long option and returns the arguments left.
func (o *options) long(arg string, args []string) ([]string, error) {
	if arg == strictOption {
		o.strictOriginal = true
		return args, nil
	}
	name, value, attached := strings.Cut(arg, "=")
	i, err := findLong(name)
	if err != nil {
		return nil, err
	}
	option := longOptions[i]
	if !attached {
		if len(args) == 0 {
			return nil, getoptError("option '%s' requires an argument", option.name)
		}
		value, args = args[0], args[1:]
	}
	milliseconds, n := acpc.ScanUint(value)
	if n == 0 {
		return nil, fmt.Errorf("could not get %s %s", option.what, value)
	}
	limit := option.time(&o.limits)
	*limit = time.Duration(min(milliseconds, maxMilliseconds)) * time.Millisecond
	if limit == &o.limits.Start && int64(milliseconds) < 0 {
		*limit = -1 // the only signed time
	}
	return args, nil
}

// maxMilliseconds is the longest time that a time.Duration holds, 292 years.
const maxMilliseconds = math.MaxInt64 / uint64(time.Millisecond)

// findLong returns the index of the long option that a name abbreviates, the first of
// several, as getopt does for options of one kind.
func findLong(name string) (int, error) {
	for i, option := range longOptions {
		if option.name == name {
			return i, nil
		}
	}
	for i, option := range longOptions {
		if strings.HasPrefix(option.name, name) {
			return i, nil
		}
	}
	return 0, getoptError("unrecognized option '%s'", name)
}

// getoptError is an error that getopt itself prints; the original prints the same line
// after all of them.
func getoptError(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return originalError{err, fmt.Sprintf("dealer: %v\nERROR: unknown option ?\n", err)}
}

// setPorts reads a comma-separated list of ports, and ignores more of them than there
// can be seats.
func (o *options) setPorts(text string) error {
	bad := fmt.Errorf("bad port string %s", text)
	for i := range o.ports {
		if text == "" {
			return nil
		}
		if i > 0 {
			rest, ok := strings.CutPrefix(text, ",")
			if !ok {
				return bad
			}
			text = rest
		}
		port, n := acpc.ScanUint(text)
		if n == 0 {
			return bad
		}
		o.ports[i] = uint16(port)
		if port > math.MaxUint16 {
			o.warnings = append(o.warnings, fmt.Sprintf("port %s is not from 0 to %d, and %d is used", text[:n],
				math.MaxUint16, o.ports[i]))
		}
		text = text[n:]
	}
	return nil
}
