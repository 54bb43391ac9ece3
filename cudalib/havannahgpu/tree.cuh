// A search of one position by Gumbel, in one warp: that of solvers/gumbel, to the bit. What the lanes compute of
// the whole search is the same in all of them.
#pragma once

#include "position.cuh"

namespace gumbel {

constexpr u32 considered = 16;	  // moves of the root
constexpr int visit_offset = 50;  // see solvers/gumbel
enum Proof : int { loss = -1, unknown = 0, win = 1, draw = 2 }; // mcts.Proof

__device__ inline double from_bits(u64 bits) {
	double x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

// exponential returns e^x, for x up to 88, and 0 if x is below -700.
__device__ inline double exponential(double x) {
	constexpr double terms[] = {1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1, 1};
	if (x < -700)
		return 0;
	const double n = __builtin_floor(x * 1.4426950408889634 + 0.5), r = x - n * 0.6931471805599453;
	double sum = 1. / 5040;
#pragma unroll
	for (u32 i = 0; i < 7; i++)
		sum = sum * r + terms[i];
	return sum * from_bits((u64)(1023 + (int)n) << 52);
}

// logarithm returns the natural logarithm of a normal number.
__device__ inline double logarithm(double x) {
	u64 bits;
	__builtin_memcpy(&bits, &x, sizeof bits);
	int exponent = (int)(bits >> 52) - 1023;
	double m = from_bits((bits & ((1ull << 52) - 1)) | 1023ull << 52);
	if (m > 1.4142135623730951)
		m *= 0.5, exponent++;
	const double s = (m - 1) / (m + 1), square = s * s;
	double sum = 0;
#pragma unroll
	for (int k = 17; k > 0; k -= 2)
		sum = sum * square + 1. / k;
	return exponent * 0.6931471805599453 + 2 * s * sum;
}

// hyperbolic_tangent is that of solvers/hexnet.
__device__ inline float hyperbolic_tangent(float x) {
	const float twice = 2 * x, bounded = twice < -87 ? -87 : twice > 88 ? 88 : twice;
	return 1 - 2 / (1 + (float)exponential(bounded));
}

// next_random draws from a stream of internal/rng.
__device__ inline u64 next_random(u64 &stream) {
	u64 x = stream += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

struct Node {
	u32 edges, end; // its moves
	int visits;		// through its moves
	float value;	// by its evaluation
	int proof;
	u32 evaluated;
};

struct Edge {
	float sum; // of the values of its visits
	float logit, gumbel;
	int visits;
	u32 child; // 0 for none
	u16 move;
	signed short proof;

	__device__ inline float mean() const {
		return proof == win ? 1 : proof == loss ? -1 : proof == draw ? 0 : sum / visits;
	}
};

enum Status : u32 { idle, waiting }; // for nothing, or for an evaluation

// Head is what a search keeps between steps, beside its arrays.
struct Head {
	u64 random;
	u32 status;
	u32 num_moves, last; // of the game before the root
	int left;			 // evaluations
	u32 used, most_nodes;
	u32 nodes, edges; // that there are
	u32 symmetry, depth;
	u32 rounds, num_alive;
	int budget, quota;
};

// Arguments are the parameters of the kernel.
struct Arguments {
	Board board;
	u32 *trees;			  // the memory of the searches
	const u32 *jobs;	  // of each search: the random stream in two words, moves, and evaluations, or 0 to go on
	const u16 *moves;	  // of each search, as many as there are cells
	words4 *planes;		  // of the positions that wait
	const float *logits;  // of the moves of these positions
	const float *outputs; // four of each position, the first of them the value before tanh
	u32 *results;		  // of each search, see finish
	u16 *lines;
	float *policies;
	u32 pitch;						  // words from a search's memory to the next
	u32 max_nodes, max_edges;		  // of a search
	u32 nodes_per_evaluation, forced; // see solvers/gumbel
};

constexpr u32 job_words = 4, result_words = 8;

constexpr u32 none = ~0u;

struct Search {
	const Arguments &a;
	const u32 number;
	Head *const head; // the memory of h, and of the lanes' alive
	Node *const nodes;
	Edge *const edges;
	u32 *const steps;
	u32 *const root; // its position's state
	Head h;
	u32 alive; // a move of the root, in the first num_alive lanes, best first
	Position p;
	double *const scores;		 // in the memory of the position's around, whose next use is after theirs
	Position::Wins mine, theirs; // of the node that was expanded last

	__device__ Search(const Arguments &a, u32 number, u8 *memory)
		: a(a), number(number), head((Head *)(a.trees + (u64)number * a.pitch)),
		  nodes((Node *)((u32 *)(head + 1) + considered)), edges((Edge *)(nodes + a.max_nodes)),
		  steps((u32 *)(edges + a.max_edges)), root(steps + a.board.cells), h(*head),
		  alive(((u32 *)(head + 1))[lane() % considered]), p(a.board, memory), scores((double *)memory) {}

	// save keeps the search for the next step.
	__device__ inline void save() const {
		once([&] { *head = h; });
		if (lane() < considered)
			((u32 *)(head + 1))[lane()] = alive;
	}

	// start begins the search of a job.
	__device__ inline void start(const u32 *job) {
		h.random = (u64)job[1] << 32 | job[0];
		h.num_moves = job[2];
		h.left = (int)job[3] - 1;
		h.used = h.nodes = h.edges = h.depth = h.num_alive = 0;
		h.most_nodes = a.nodes_per_evaluation * job[3];
		once([&] { a.results[number * result_words] = 0; });
		p.clear();
		spread(h.num_moves, [&](u32 i) { p.joiners[i] = a.moves[number * a.board.cells + i]; });
		for (u32 i = 0; i < h.num_moves; i++) {
			sync_warp();
			p.play(p.joiners[i]);
		}
		// The first stone was set up: it is not the last.
		h.last = p.last = h.num_moves == 1 ? no_cell : p.last;
		expand();
		spread(p.state_words(a.board.cells), [&](u32 i) { root[i] = p.state()[i]; });
		next();
	}

	// go_to_root puts the stones of the game.
	__device__ inline void go_to_root() {
		sync_warp();
		spread(p.state_words(a.board.cells), [&](u32 i) { p.state()[i] = root[i]; });
		p.turn = h.num_moves % 2, p.last = h.last, p.left = a.board.cells - h.num_moves;
	}

	static __device__ inline int either(int x, int y) {
		return x == win || y == win ? win : x == unknown || y == unknown ? unknown
			: x == draw || y == draw ? draw : loss;
	}

	__device__ inline int proof_of(const Node &n) const {
		int best = loss;
		for (u32 e = n.edges + lane(); e < n.end; e += warp)
			best = either(best, edges[e].proof);
		return reduce(best, either);
	}

	static __device__ inline Edge edge_of(u32 move, int proof) {
		return Edge{0, 0, 0, 0, 0, (u16)move, (signed short)proof};
	}

	// expand adds a node for the position: with all moves, or the one that wins or is forced.
	__device__ inline u32 expand() {
		p.look(mine, theirs);
		Node n = {h.edges, 0, 0, 0, 0, 0};
		const int last = p.left == 1 ? draw : unknown;
		if (mine.count)
			once([&] { edges[h.edges] = edge_of(mine.first, win); });
		else if (theirs.count)
			once([&] { edges[h.edges] = edge_of(theirs.last, theirs.count > 1 ? loss : last); });
		else
			for (u32 first = 0; first < a.board.cells; first += warp) {
				const u32 cell = first + lane();
				const bool empty = cell < a.board.cells && !p.stones[cell];
				const u32 lanes = ballot(empty);
				if (empty)
					edges[h.edges + __builtin_popcount(lower(lanes))] = edge_of(cell, last);
				h.edges += __builtin_popcount(lanes);
			}
		h.edges += mine.count || theirs.count;
		sync_warp();
		n.end = h.edges;
		n.proof = proof_of(n);
		once([&] { nodes[h.nodes] = n; });
		return h.nodes++;
	}

	// next goes on until a position must be evaluated or the search is over.
	__device__ inline void next() {
		bool found = false;
		if (nodes[0].proof == unknown && nodes[0].end - nodes[0].edges > 1) {
			found = !nodes[0].evaluated;
			while (!found && h.left > 0 && nodes[0].proof == unknown && h.nodes < h.most_nodes)
				if (descend())
					found = true, h.left--;
		}
		if (!found) {
			finish();
			return;
		}
		const u64 random = next_random(h.random);
		h.symmetry = (u32)(((random >> 32) * symmetries + ((random & 0xffffffff) * symmetries >> 32)) >> 32);
		p.describe(a.planes + (u64)number * a.board.cells, image(), mine, theirs);
		h.status = waiting;
	}

	__device__ inline const u16 *image() const { return a.board.images + h.symmetry * a.board.cells; }

	// descend goes down to a position that needs an evaluation. It returns false if the
	// simulation has ended in a proof.
	__device__ inline bool descend() {
		h.depth = 0;
		go_to_root();
		for (u32 at = 0, forced = 0;;) {
			const Node n = nodes[at];
			const u32 step = n.end - n.edges == 1 ? n.edges : at == 0 ? choose_root() : choose(n);
			once([&] { steps[h.depth] = step; });
			h.depth++;
			p.play(edges[step].move);
			if ((at = edges[step].child))
				continue;
			at = expand();
			once([&] { edges[step].child = at; });
			const Node added = nodes[at];
			if (added.proof != unknown) {
				prove();
				return false;
			}
			if (added.end - added.edges > 1 || ++forced > a.forced)
				return true;
		}
	}

	// parent returns the node of which a step was made.
	__device__ inline u32 parent(u32 step) const { return step > 0 ? edges[steps[step - 1]].child : 0; }

	// evaluate takes the network's answer for the position that waited.
	__device__ inline void evaluate() {
		const u32 at = parent(h.depth);
		const float value = hyperbolic_tangent(a.outputs[4 * number]),
			*const logits = a.logits + (u64)number * a.board.cells;
		once([&] { nodes[at].evaluated = 1, nodes[at].value = value; });
		h.used++;
		const u16 *const to = image();
		for (u32 e = nodes[at].edges + lane(); e < nodes[at].end; e += warp)
			edges[e].logit = logits[to[edges[e].move]];
		sync_warp();
		if (at == 0)
			start_halving();
		else
			back_up(value);
	}

	__device__ inline void back_up(float value) {
		if (h.depth % 2)
			value = -value; // of the player to move at the root
		sync_warp();
		spread(h.depth, [&](u32 i) {
			nodes[parent(i)].visits++;
			Edge &e = edges[steps[i]];
			e.visits++;
			e.sum += i % 2 ? -value : value;
		});
		sync_warp();
	}

	__device__ inline void prove() {
		int proof = nodes[parent(h.depth)].proof;
		back_up(proof == win ? 1 : proof == loss ? -1 : 0);
		for (u32 i = h.depth; i-- > 0 && proof != unknown;) {
			once([&] { edges[steps[i]].proof = proof == draw ? draw : -proof; });
			const u32 at = parent(i);
			proof = proof_of(nodes[at]);
			once([&] { nodes[at].proof = proof; });
		}
	}

	// scale returns the factor of values beside the logits of a node.
	__device__ inline double scale(const Node &n) const {
		int most = 0;
		for (u32 e = n.edges + lane(); e < n.end; e += warp)
			most = edges[e].visits > most ? edges[e].visits : most;
		return (double)(visit_offset + greatest(most)) / 2;
	}

	// A Term is what a visited move adds to the sums of unvisited.
	struct Term {
		double weight, product, visits;
	};

	// unvisited returns the value that a node's moves have before their first visit.
	__device__ inline double unvisited(const Node &n) const {
		float highest = edges[n.edges].logit;
		for (u32 e = n.edges + lane(); e < n.end; e += warp)
			highest = edges[e].logit > highest ? edges[e].logit : highest;
		highest = greatest(highest);
		Term sum = {0, 0, 0};
		for (u32 first = n.edges; first < n.end; first += warp) {
			const u32 e = first + lane();
			Term own = {0, 0, 0};
			const bool visited = e < n.end && edges[e].visits > 0;
			if (visited) {
				own.weight = exponential((double)(edges[e].logit - highest));
				own.product = own.weight * (double)edges[e].mean();
				own.visits = edges[e].visits;
			}
			if (const u32 lanes = ballot(visited)) // the sums are made in the order of the moves
				warp_exchange(own, [&](auto of) {
					for (u32 left = lanes; left; left &= left - 1) {
						const Term x = of(__builtin_ctz(left));
						sum.weight += x.weight, sum.product += x.product, sum.visits += x.visits;
					}
				});
		}
		return sum.visits == 0 || sum.weight == 0 ? (double)n.value
			: ((double)n.value + sum.visits * sum.product / sum.weight) / (1 + sum.visits);
	}

	// improve sets the scores to the improved policy of a node. A lane sets those that spread gives it.
	__device__ inline void improve(const Node &n) const {
		const double factor = scale(n), otherwise = unvisited(n), lowest = -__builtin_inf();
		const u32 moves = n.end - n.edges;
		double highest = lowest, sum = 0;
		spread(moves, [&](u32 i) {
			const Edge &x = edges[n.edges + i];
			double score = lowest; // of a move that is proved to lose
			if (n.proof == loss)
				score = (double)x.logit;
			else if (x.proof != loss)
				score = (double)x.logit + factor * (x.visits > 0 || x.proof != unknown ? (double)x.mean() : otherwise);
			highest = score > highest ? score : highest;
			scores[i] = score;
		});
		highest = greatest(highest);
		spread(moves, [&](u32 i) { scores[i] = exponential(scores[i] - highest); });
		sync_warp();
#pragma unroll 8
		for (u32 i = 0; i < moves; i++)
			sum += scores[i];
		sync_warp();
		spread(moves, [&](u32 i) { scores[i] /= sum; });
	}

	// A Rated is a move, by its place among some. Of two that are as good the first one is better.
	struct Rated {
		double score;
		u32 place, edge;
	};

	static __device__ inline Rated better(const Rated &x, const Rated &y) {
		return y.score > x.score || (y.score == x.score && y.place < x.place) ? y : x;
	}

	// choose returns the move of a node whose share of the visits is furthest below its
	// probability in the improved policy.
	__device__ inline u32 choose(const Node &n) const {
		improve(n);
		Rated best = {-__builtin_inf(), 0, n.edges};
		spread(n.end - n.edges, [&](u32 i) {
			const Edge &e = edges[n.edges + i];
			const double lack = scores[i] - (double)e.visits / (double)(1 + n.visits);
			if (e.proof == unknown && lack > best.score)
				best = {lack, i, n.edges + i};
		});
		return reduce(best, better).edge;
	}

	// sort makes the best of some edges the ones that are alive, best first: by variable, logit
	// and value together. A lane calls edge with the places that spread gives it; there may be no edge.
	template <class F> __device__ inline void sort(u32 n, u32 most, F edge) {
		const double factor = scale(nodes[0]), lowest = -__builtin_inf();
		spread(n, [&](u32 i) {
			const u32 number = edge(i);
			scores[i] = lowest;
			if (number == none)
				return;
			const Edge &e = edges[number];
			double score = (double)e.gumbel + (double)e.logit;
			if (e.visits > 0)
				score += factor * (double)e.mean();
			scores[i] = score;
		});
		u32 kept = 0, sorted = none;
		for (; kept < most; kept++) {
			Rated best = {lowest, none, none};
			spread(n, [&](u32 i) {
				if (scores[i] > best.score)
					best = {scores[i], i, edge(i)};
			});
			best = reduce(best, better);
			if (best.edge == none)
				break;
			if (lane() == kept)
				sorted = best.edge;
			if (lane() == best.place % warp)
				scores[best.place] = lowest;
		}
		alive = sorted;
		h.num_alive = kept;
	}

	__device__ inline void sort_alive() {
		sort(h.num_alive, considered, [&](u32) { return alive; });
	}

	// consider makes the best of the moves that are not proved alive.
	__device__ inline void consider(u32 most) {
		const Node root = nodes[0];
		sort(root.end - root.edges, most,
			[&](u32 i) { return edges[root.edges + i].proof == unknown ? root.edges + i : none; });
	}

	__device__ inline void start_halving() {
		constexpr u64 step = 0x9e3779b97f4a7c15; // of the random stream
		const u32 first = nodes[0].edges, moves = nodes[0].end - first;
		spread(moves, [&](u32 i) {
			u64 stream = h.random + i * step;
			const double uniform = (double)(next_random(stream) >> 11) / 0x1p53;
			edges[first + i].gumbel = (float)-logarithm(-logarithm(uniform > 0x1p-54 ? uniform : 0x1p-54));
		});
		h.random += moves * step;
		sync_warp();
		const u32 most = h.left < 1 ? 1 : h.left < (int)considered ? h.left : considered;
		consider(most);
		h.rounds = h.num_alive > 1 ? 32 - __builtin_clz(h.num_alive - 1) : 1;
		h.budget = h.left;
		start_round();
	}

	__device__ inline void start_round() {
		const int most = greatest(lane() < h.num_alive ? edges[alive].visits : 0);
		const int share = h.budget / (int)(h.rounds * h.num_alive);
		h.quota = most + (share > 1 ? share : 1);
	}

	// drop_proved keeps those alive that are not proved.
	__device__ inline void drop_proved() {
		u32 left = ballot(lane() < h.num_alive && edges[alive].proof == unknown);
		h.num_alive = __builtin_popcount(left);
		for (u32 i = 0; i < lane(); i++)
			left &= left - 1;
		alive = shuffle(alive, left ? __builtin_ctz(left) : lane());
	}

	// choose_root returns the root's move to visit next.
	__device__ inline u32 choose_root() {
		drop_proved();
		if (h.num_alive == 0) {
			consider(considered);
			start_round();
		}
		for (;;) {
			// The first of those with the fewest visits.
			const u64 visits = lane() < h.num_alive ? edges[alive].visits : none,
				fewest = reduce(visits << 32 | lane(), [](u64 x, u64 y) { return y < x ? y : x; });
			if ((int)(fewest >> 32) < h.quota)
				return shuffle(alive, fewest % warp);
			sort_alive();
			h.num_alive = (h.num_alive + 1) / 2;
			start_round();
		}
	}

	// first returns the first of a node's moves for which f is true, or none.
	template <class F> __device__ inline u32 first(const Node &n, F f) const {
		for (u32 e = n.edges; e < n.end; e += warp)
			if (const u32 lanes = ballot(e + lane() < n.end && f(edges[e + lane()])))
				return e + __builtin_ctz(lanes);
		return none;
	}

	// proved returns a move of a proved node with the same proof.
	__device__ inline u32 proved(const Node &n) const {
		return first(n, [&](const Edge &e) { return e.proof == n.proof; });
	}

	__device__ inline u32 best() {
		const Node root = nodes[0];
		if (root.end - root.edges == 1)
			return root.edges;
		if (root.proof != unknown)
			return proved(root);
		sort_alive();
		// The first of those with the most visits.
		const u64 visits = lane() < h.num_alive ? 1 + edges[alive].visits : 0;
		const u32 most = warp - 1 - greatest(visits << 32 | (warp - 1 - lane())) % warp;
		const u32 best = h.num_alive > 0 ? shuffle(alive, most) : root.edges;
		// A proved draw is better than a move that rather loses.
		if (edges[best].visits == 0 || edges[best].mean() < 0)
			if (const u32 drawn = first(root, [](const Edge &e) { return e.proof == draw; }); drawn != none)
				return drawn;
		return best;
	}

	// finish writes what the search has found: that it is over, the best move, its proof, the
	// evaluations, the moves of the line of a proof, and the stream. If the root was evaluated
	// there is a policy, by cell.
	__device__ inline void finish() {
		const Node root = nodes[0];
		const u32 move = edges[best()].move;
		u16 *const line = a.lines + (u64)number * a.board.cells;
		u32 length = 0;
		if (root.proof != unknown)
			for (u32 at = 0;;) {
				const Edge &e = edges[proved(nodes[at])];
				once([&] { line[length] = e.move; });
				length++;
				if (!(at = e.child) || nodes[at].proof == unknown)
					break;
			}
		if (root.evaluated) {
			const bool certain = root.proof == win || root.proof == draw;
			float *const policy = (float *)(scores + a.board.cells); // by cell, still in the memory of around
			spread(a.board.cells, [&](u32 cell) { policy[cell] = certain && cell == move ? 1 : 0; });
			sync_warp();
			if (!certain) {
				improve(root);
				spread(root.end - root.edges, [&](u32 i) { policy[edges[root.edges + i].move] = (float)scores[i]; });
				sync_warp();
			}
			spread(a.board.cells, [&](u32 cell) { a.policies[(u64)number * a.board.cells + cell] = policy[cell]; });
		}
		once([&] {
			const u32 words[result_words] = {1, move, (u32)root.proof, h.used, length, root.evaluated, (u32)h.random,
				(u32)(h.random >> 32)};
			for (u32 i = 0; i < result_words; i++)
				a.results[number * result_words + i] = words[i];
		});
		h.status = idle;
	}
};

} // namespace gumbel
