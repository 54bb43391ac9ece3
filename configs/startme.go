package configs

import _ "embed"

// StartMe is the script startme.sh, by which competitions start a bot.
//
//go:embed startme.sh
var StartMe string
