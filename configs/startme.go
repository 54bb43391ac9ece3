package configs

import _ "embed"

// StartMe is the script startme.sh, which starts a bot as competitions do.
//
//go:embed startme.sh
var StartMe string
