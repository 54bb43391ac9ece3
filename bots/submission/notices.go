package submission

import _ "embed"

// noticesFile is the name under which the notices go with an executable.
const noticesFile = "THIRD_PARTY.txt"

// notices is the licence of gamebots, and then those of the modules in its executable
// with their versions, equal texts once: whoever hands the executable on has to hand
// them on too. "make notices" writes it.
//
//go:embed THIRD_PARTY.txt
var notices string
