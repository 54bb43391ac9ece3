// Package notices has the licences of gamebots and of the modules that its
// executable is made of. Whoever hands the executable on has to hand them on too.
package notices

import _ "embed"

// File is the name under which the notices go with an executable.
const File = "THIRD_PARTY.txt"

// Text is the licence of gamebots, and then those of the modules in its executable
// with their versions, equal texts once. `make notices` writes it.
//
//go:embed THIRD_PARTY.txt
var Text string
