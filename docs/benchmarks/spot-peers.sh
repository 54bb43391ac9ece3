#!/bin/bash
# spot-peers.sh [FOLDER]: how long do gamebots, postflop-solver and TexasSolver take for the same spots?
#
# It fetches the other two into FOLDER (build/peers by default) and builds them there with cargo
# and g++. All solve the same trees, to the same exploitability in percent of the pot. A line has
# the processor seconds of each on one thread, those of the others less what they take before the
# first iteration, and the chips that the player out of position wins, where a program says so.
# THREADS=N solves on N threads, and the seconds are those of a clock. SPOTS='turn|river' selects
# spots by their names.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
mkdir -p "${1:-$root/build/peers}"
cd "${1:-$root/build/peers}"
(cd "$root" && CGO_ENABLED=0 go build -o "$OLDPWD/gamebots" ./cmd/gamebots)
if [ ! -d postflop ]; then
	git clone -q https://github.com/b-inary/postflop-solver postflop
	git -C postflop checkout -q 9d1509fe5077d019825f833eed04b16d342dfda1 # 1 October 2023
fi
if [ ! -d texas ]; then
	git clone -q -b console https://github.com/bupticybee/TexasSolver texas
	git -C texas checkout -q 8d7c4bfabedf22d344316297377d002ac56489ef # 29 November 2021
fi
cat >postflop/examples/spot.rs <<'RUST'
// Arguments: board, pot, stack, ranges, rake in percent and its cap, target in percent or 0 for no iteration, and then
// bets and raises of both players on the flop, the turn and the river.
use postflop_solver::*;

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let card = |at: usize| if a[1].len() > at { card_from_str(&a[1][at..at + 2]).unwrap() } else { NOT_DEALT };
    let cards = CardConfig {
        range: [a[4].parse().unwrap(), a[5].parse().unwrap()],
        flop: flop_from_str(&a[1][..6]).unwrap(),
        turn: card(6),
        river: card(8),
    };
    let sizes = |street: usize| [0, 2].map(|player| {
        let at = 9 + 4 * street + player;
        BetSizeOptions::try_from((a[at].as_str(), a[at + 1].as_str())).unwrap()
    });
    let pot: i32 = a[2].parse().unwrap();
    let tree = TreeConfig {
        initial_state: [BoardState::Flop, BoardState::Turn, BoardState::River][a[1].len() / 2 - 3],
        starting_pot: pot,
        effective_stack: a[3].parse().unwrap(),
        rake_rate: a[6].parse::<f64>().unwrap() / 100.0,
        rake_cap: a[7].parse().unwrap(),
        flop_bet_sizes: sizes(0),
        turn_bet_sizes: sizes(1),
        river_bet_sizes: sizes(2),
        ..Default::default()
    };
    let mut game = PostFlopGame::with_config(cards, ActionTree::new(tree).unwrap()).unwrap();
    game.allocate_memory(false);
    let target: f32 = a[8].parse().unwrap();
    if target > 0.0 {
        solve(&mut game, 10_000, pot as f32 * target / 100.0, false);
        game.cache_normalized_weights();
        println!("{:.2}", compute_average(&game.expected_values(0), game.normalized_weights(0)));
    }
}
RUST
# Newer compilers than the author's refuse what the lint names.
[ -x postflop/target/release/examples/spot ] || (cd postflop && RUSTFLAGS='-C target-cpu=native -A dangerous_implicit_autorefs' cargo build -q --release --example spot)
if [ ! -x texas/solver ]; then
	(
		cd texas
		for source in src/console.cpp src/[CDGl]*.cpp src/{compairer,nodes,ranges,runtime,tools,trainable}/*.cpp src/solver/{BestResponse,PCfrSolver,Solver}.cpp ext/fmt/src/*.cc; do
			g++ -O3 -march=native -std=c++17 -fopenmp -w -Iinclude -Iext/fmt/include -c "$source"
		done
		g++ -fopenmp ./*.o -o solver
	)
fi

threads=${THREADS:-1}
export RAYON_NUM_THREADS=$threads
TIMEFORMAT=%U
[ "$threads" = 1 ] || TIMEFORMAT=%R

# sizes TEXT PLAYER STREET prints what holds there of a text such as "52; turn: 55; ip river: 70,a".
sizes() {
	local part word scope found=
	while read -r -d ';' part; do
		scope=
		[[ $part != *:* ]] || scope=${part%:*}
		for word in $scope; do
			[[ $word == "$2" || $word == "$3" ]] || continue 2
		done
		found=${part##*:}
	done <<<"$1;"
	echo "${found// /}"
}

# Each of these solves the spot to a target; what it prints goes to the file output.
gamebots() {
	[ "$1" = 0 ] || ./gamebots solve poker --board "$board" --pot "$pot" --stack "$stack" --range-oop "$oop" --range-ip "$ip" --bets "$bets" --raises "$raises" \
		--add-all-in 0 --force-all-in 0 --merge 0 ${rake:+--rake "$rake" --rake-cap "$cap"} --target "$1" --iterations 10000 --device cpu --threads "$threads" 2>/dev/null |
		sed -n 's/out of position wins \([^ ]*\).*/\1/p'
}
postflop() {
	local lists=()
	for street in flop turn river; do
		for player in oop ip; do
			for text in "$bets" "$raises"; do
				lists+=("$(sizes "$text" $player $street | sed -E 's/([0-9])(,|$)/\1%\2/g')")
			done
		done
	done
	postflop/target/release/examples/spot "$board" "$pot" "$stack" "$oop" "$ip" "${rake:-0}" "${cap:-0}" "$1" "${lists[@]}"
}
texas() {
	{
		echo -e "set_pot $pot\nset_effective_stack $stack\nset_board $(sed -E 's/..\B/&,/g' <<<"$board")\nset_range_ip $ip\nset_range_oop $oop"
		for street in flop turn river; do
			for player in oop ip; do
				local bet raise
				bet=$(sizes "$bets" $player $street)
				raise=$(sizes "$raises" $player $street)
				echo -e "set_bet_sizes $player,$street,bet,${bet%,a}\nset_bet_sizes $player,$street,raise,${raise%,a}"
				[ "$bet" = "${bet%,a}" ] || echo "set_bet_sizes $player,$street,allin"
			done
			bet=$(sizes "$bets" oop $street)
			echo "set_bet_sizes oop,$street,donk,${bet%,a}"
		done
		echo -e "set_allin_threshold 100\nbuild_tree\nset_thread_num $threads\nset_accuracy $1\nset_max_iteration 10000\nset_print_interval 10\nset_use_isomorphism 1"
		[ "$1" = 0 ] || echo start_solve
	} >input
	texas/solver -i input -r texas/resources >/dev/null
}

# seconds PROGRAM TARGET prints the median time of three runs, or that of one on a flop.
seconds() {
	local runs=3
	[ ${#board} -gt 6 ] || runs=1
	for ((i = 0; i < runs; i++)); do { time $1 "$2" >output; } 2>&1; done | sort -n | sed -n "$((runs / 2 + 1))p"
}

# compare NAME TARGET PROGRAM... prints a line.
compare() {
	[[ $1 =~ ${SPOTS:-.} ]] || return 0
	printf '%-12s to %s%%' "$1" "$2"
	for program in "${@:3}"; do
		before=$(seconds $program 0)
		solved=$(seconds $program "$2")
		printf '  %s %.2f s (%s)' "$program" "$(bc <<<"$solved - $before")" "$(cat output)"
	done
	echo
}

rake= cap=
oop='QQ:0.5,JJ:0.75,TT,99,88,77,66,55,44,33,22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,A9s,A8s,A7s,A6s,A5s,A4s,A3s,A2s,KQ,KJ,KTs,KTo:0.5,K9s,K8s,K7s,K6s,K5s,K4s:0.5,K3s:0.5,K2s:0.5,QJ,QTs,Q9s,Q8s,Q7s,JTs,JTo:0.5,J9s,J8s,T9s,T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,64s,54s,53s,43s'
ip='AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,A6s:0.25,A5s:0.75,A4s:0.75,A3s:0.5,A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,J9s:0.75,J8s:0.75,T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,65s:0.75,64s:0.5,54s:0.75,53s:0.5,43s:0.5'
pot=50 stack=200 bets=50,a raises=60,a
board=QsJh2h8d3c compare texas-river 0.001 gamebots postflop texas
board=QsJh2h8d compare texas-turn 0.3 gamebots postflop texas
reversed=$ip
ip=$oop oop=$reversed
pot=1000 stack=9500 bets='100,a; ip turn: 100' raises='50,a; ip turn: 50'
board=QsJh2h compare texas-flop 0.5 gamebots postflop

oop='66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s'
ip='QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+'
pot=200 stack=900 bets=60,e,a raises=2.5x
board=Td9d6hQc compare basic-turn 0.1 gamebots postflop

oop=22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32
ip=$oop
pot=200 stack=1800 bets=33,75,150 raises=75
board=Ks9d7h4c2s compare river-25 0.01 gamebots postflop
bets=50,100
board=Ks9d7h4c compare all-hands 0.5 gamebots postflop

oop='88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45'
ip='AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s'
pot=120 stack=900 bets=33,75,150 raises=60
board=8c5c3d8hKd compare paired-river 0.01 gamebots postflop
bets=33,75
board=8c5c3d8h compare paired-turn 0.3 gamebots postflop
pot=180 stack=910 bets='52; turn: 55; river: 70' raises=45
board=QsJh2h compare flop 0.5 gamebots postflop
rake=5 cap=30
board=QsJh2h compare flop-raked 0.5 gamebots postflop
