#!/bin/sh
# Competitions start a bot as: startme.sh HOST PORT
#
# Put this file, poker.toml, the gamebots program and the strategy into one
# folder, and name the strategy in poker.toml. The program is also found in the
# folder above, where `make build` leaves it, or by $GAMEBOTS.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: $0 HOST PORT" >&2
	exit 2
fi

folder=$(cd "$(dirname "$0")" && pwd)
case ${GAMEBOTS:=$folder/gamebots} in
/*) ;;
*) GAMEBOTS=$PWD/$GAMEBOTS ;; # its path starts here
esac
cd "$folder" # so that the paths in poker.toml start there
if [ -d cache ]; then
	export XDG_CACHE_HOME="$folder/cache" # with cards that are prepared
fi
for program in "$GAMEBOTS" ../gamebots; do
	if [ -x "$program" ] && [ ! -d "$program" ]; then
		exec "$program" play acpc "$1" "$2" --config poker.toml
	fi
done
echo "$0: no gamebots program here; build it with: make build" >&2
exit 1
