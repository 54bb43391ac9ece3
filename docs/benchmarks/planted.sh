#!/bin/sh
# planted.sh [RUNS]: what does "gamebench compare" find on this machine?
#
# It builds this commit twice. The second build takes 10% longer in the benches hand, sum and
# copy. Both run by turns, RUNS times (40 by default), and are compared; then the first build is
# compared with itself, the odd runs with the even ones. Expected: "higher" for times and "lower"
# for speeds in the first comparison, and "no difference" in the second. It takes about 6 s a run.
set -eu
runs=${1:-40}
slow="hand sum copy"
root=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$work/source"; rm -r "$work"' EXIT
git -C "$root" worktree add -q --detach "$work/source" HEAD
cd "$work/source"
export CGO_ENABLED=0
go build -o "$work/old" ./cmd/gamebench
line='seconds = append(seconds, (clock() - start).Seconds())'
grep -qF "$line" bench/bench.go || { echo "planted.sh: bench/bench.go does not time work as it did" >&2; exit 1; }
sed -i "s|$line|if slices.Contains(strings.Fields(\"$slow\"), os.Args[1]) {\n\t\t\tfor end := clock() + (clock()-start)/10; clock() < end; {\n\t\t\t}\n\t\t}\n\t\t$line|" bench/bench.go
go build -o "$work/new" ./cmd/gamebench
cd "$work"
for run in $(seq "$runs"); do
	for bench in $slow; do
		for build in old new; do
			./$build "$bench" --device cpu --json >lines
			cat lines >>$build.jsonl
			[ $build = new ] || cat lines >>same$((run % 2)).jsonl
		done
	done
done
echo "10% more time in $slow:"
./old compare old.jsonl new.jsonl
echo "the same build, odd and even runs:"
./old compare same1.jsonl same0.jsonl
