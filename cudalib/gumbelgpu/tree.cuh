// A search of one position by Gumbel, in one thread: that of solvers/gumbel, to the bit.
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
	u32 status, num_moves; // of the game before the root
	int left;			   // evaluations
	u32 used, most_nodes;
	u32 nodes, edges; // that there are
	u32 symmetry, depth;
	u32 rounds, num_alive;
	int budget, quota;
	u32 alive[considered];
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

struct Search {
	const Arguments &a;
	const u32 number;
	Head &h;
	double *const scores;
	Node *const nodes;
	Edge *const edges;
	u32 *const steps;
	u16 *const moves; // of the game
	Position p;
	Position::Wins mine, theirs; // of the node that was expanded last

	__device__ Search(const Arguments &a, u32 number, u8 *memory)
		: a(a), number(number), h(*(Head *)(a.trees + (u64)number * a.pitch)), scores((double *)(&h + 1)),
		  nodes((Node *)(scores + a.board.cells)),
		  edges((Edge *)(nodes + a.max_nodes)), steps((u32 *)(edges + a.max_edges)),
		  moves((u16 *)(steps + a.board.cells)), p(a.board, memory) {}

	// start begins the search of a job.
	__device__ inline void start(const u32 *job) {
		h.random = (u64)job[1] << 32 | job[0];
		h.num_moves = job[2];
		for (u32 i = 0; i < h.num_moves; i++)
			moves[i] = a.moves[number * a.board.cells + i];
		h.left = (int)job[3] - 1;
		h.used = h.nodes = h.edges = h.depth = h.num_alive = 0;
		h.most_nodes = a.nodes_per_evaluation * job[3];
		a.results[number * result_words] = 0;
		go_to_root();
		expand();
		next();
	}

	// go_to_root puts the stones of the game. The first one was set up: it is not the last.
	__device__ inline void go_to_root() {
		p.clear();
		for (u32 i = 0; i < h.num_moves; i++)
			p.play(moves[i]);
		if (h.num_moves == 1)
			p.last = no_cell;
	}

	static __device__ inline int either(int x, int y) {
		return x == win || y == win ? win : x == unknown || y == unknown ? unknown
			: x == draw || y == draw ? draw : loss;
	}

	__device__ inline int proof_of(const Node &n) const {
		int best = loss;
		for (u32 e = n.edges; e < n.end; e++)
			best = either(best, edges[e].proof);
		return best;
	}

	__device__ inline void add_edge(u32 move, int proof) {
		edges[h.edges++] = Edge{0, 0, 0, 0, 0, (u16)move, (signed short)proof};
	}

	// expand adds a node for the position: with all moves, or the one that wins or is forced.
	__device__ inline u32 expand() {
		p.look(mine, theirs);
		Node n = {h.edges, 0, 0, 0, 0, 0};
		const int last = p.left == 1 ? draw : unknown;
		if (mine.count) {
			add_edge(mine.first, win);
		} else if (theirs.count) {
			add_edge(theirs.last, theirs.count > 1 ? loss : last);
		} else {
			for (u32 cell = 0; cell < a.board.cells; cell++)
				if (!p.stones[cell])
					add_edge(cell, last);
		}
		n.end = h.edges;
		n.proof = proof_of(n);
		nodes[h.nodes] = n;
		return h.nodes++;
	}

	// next goes on until a position must be evaluated or the search is over.
	__device__ inline void next() {
		const Node &root = nodes[0];
		bool found = false;
		if (root.proof == unknown && root.end - root.edges > 1) {
			found = !root.evaluated;
			while (!found && h.left > 0 && root.proof == unknown && h.nodes < h.most_nodes)
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
			const Node &n = nodes[at];
			const u32 step = n.end - n.edges == 1 ? n.edges : at == 0 ? choose_root() : choose(n);
			steps[h.depth++] = step;
			p.play(edges[step].move);
			if (edges[step].child) {
				at = edges[step].child;
				continue;
			}
			at = edges[step].child = expand();
			if (nodes[at].proof != unknown) {
				prove();
				return false;
			}
			if (nodes[at].end - nodes[at].edges > 1 || ++forced > a.forced)
				return true;
		}
	}

	// evaluate takes the network's answer for the position that waited.
	__device__ inline void evaluate() {
		const u32 at = h.depth ? edges[steps[h.depth - 1]].child : 0;
		Node &n = nodes[at];
		const float value = hyperbolic_tangent(a.outputs[4 * number]),
			*const logits = a.logits + (u64)number * a.board.cells;
		n.evaluated = 1, n.value = value;
		h.used++;
		const u16 *const to = image();
		for (u32 e = n.edges; e < n.end; e++)
			edges[e].logit = logits[to[edges[e].move]];
		if (at == 0)
			start_halving();
		else
			back_up(value);
	}

	__device__ inline void back_up(float value) {
		u32 at = 0;
		if (h.depth % 2)
			value = -value; // of the player to move at the root
		for (u32 i = 0; i < h.depth; i++) {
			nodes[at].visits++;
			Edge &e = edges[steps[i]];
			e.visits++;
			e.sum += i % 2 ? -value : value;
			at = e.child;
		}
	}

	__device__ inline void prove() {
		int proof = nodes[edges[steps[h.depth - 1]].child].proof;
		back_up(proof == win ? 1 : proof == loss ? -1 : 0);
		for (u32 i = h.depth; i-- > 0 && proof != unknown;) {
			edges[steps[i]].proof = proof == draw ? draw : -proof;
			Node &n = nodes[i > 0 ? edges[steps[i - 1]].child : 0];
			proof = n.proof = proof_of(n);
		}
	}

	// scale returns the factor of values beside the logits of a node.
	__device__ inline double scale(const Node &n) const {
		int most = 0;
		for (u32 e = n.edges; e < n.end; e++)
			most = edges[e].visits > most ? edges[e].visits : most;
		return (double)(visit_offset + most) / 2;
	}

	// unvisited returns the value that a node's moves have before their first visit.
	__device__ inline double unvisited(const Node &n) const {
		float highest = edges[n.edges].logit;
		for (u32 e = n.edges; e < n.end; e++)
			highest = edges[e].logit > highest ? edges[e].logit : highest;
		double visits = 0, sum = 0, weight = 0;
		for (u32 e = n.edges; e < n.end; e++)
			if (edges[e].visits > 0) {
				const double p = exponential((double)(edges[e].logit - highest));
				visits += edges[e].visits;
				sum += p * (double)edges[e].mean();
				weight += p;
			}
		return visits == 0 || weight == 0 ? (double)n.value : ((double)n.value + visits * sum / weight) / (1 + visits);
	}

	// improve sets the scores to the improved policy of a node.
	__device__ inline void improve(const Node &n) const {
		const double factor = scale(n), otherwise = unvisited(n), lowest = -__builtin_inf();
		double highest = lowest, sum = 0;
		for (u32 e = n.edges; e < n.end; e++) {
			const Edge &x = edges[e];
			double score = lowest; // of a move that is proved to lose
			if (n.proof == loss)
				score = (double)x.logit;
			else if (x.proof != loss)
				score = (double)x.logit + factor * (x.visits > 0 || x.proof != unknown ? (double)x.mean() : otherwise);
			highest = score > highest ? score : highest;
			scores[e - n.edges] = score;
		}
		for (u32 i = 0; i < n.end - n.edges; i++)
			sum += scores[i] = exponential(scores[i] - highest);
		for (u32 i = 0; i < n.end - n.edges; i++)
			scores[i] /= sum;
	}

	// choose returns the move of a node whose share of the visits is furthest below its
	// probability in the improved policy.
	__device__ inline u32 choose(const Node &n) const {
		improve(n);
		u32 best = n.edges;
		double highest = -__builtin_inf();
		for (u32 e = n.edges; e < n.end; e++) {
			const double lack = scores[e - n.edges] - (double)edges[e].visits / (double)(1 + n.visits);
			if (edges[e].proof == unknown && lack > highest)
				best = e, highest = lack;
		}
		return best;
	}

	// sort makes the best of some edges the ones that are alive, best first: by variable, logit
	// and value together. They may be those that were.
	template <class F> __device__ inline void sort(u32 n, u32 most, F edge) {
		const double factor = scale(nodes[0]);
		double best[considered];
		u32 kept = 0;
		for (u32 i = 0; i < n; i++) {
			const u32 number = edge(i);
			const Edge &e = edges[number];
			double score = (double)e.gumbel + (double)e.logit;
			if (e.visits > 0)
				score += factor * (double)e.mean();
			u32 at = kept < most ? kept++ : most;
			for (; at > 0 && best[at - 1] < score; at--)
				if (at < most)
					best[at] = best[at - 1], h.alive[at] = h.alive[at - 1];
			if (at < most)
				best[at] = score, h.alive[at] = number;
		}
		h.num_alive = kept;
	}

	__device__ inline void sort_alive() {
		sort(h.num_alive, considered, [&](u32 i) { return h.alive[i]; });
	}

	// consider makes the best of the moves that are not proved alive.
	__device__ inline void consider(u32 most) {
		const Node root = nodes[0];
		u32 n = 0;
		for (u32 e = root.edges; e < root.end; e++)
			n += edges[e].proof == unknown;
		u32 next = root.edges;
		sort(n, most, [&](u32) {
			while (edges[next].proof != unknown)
				next++;
			return next++;
		});
	}

	__device__ inline void start_halving() {
		for (u32 e = nodes[0].edges; e < nodes[0].end; e++) {
			const double uniform = (double)(next_random(h.random) >> 11) / 0x1p53;
			edges[e].gumbel = (float)-logarithm(-logarithm(uniform > 0x1p-54 ? uniform : 0x1p-54));
		}
		const u32 most = h.left < 1 ? 1 : h.left < (int)considered ? h.left : considered;
		consider(most);
		h.rounds = h.num_alive > 1 ? 32 - __builtin_clz(h.num_alive - 1) : 1;
		h.budget = h.left;
		start_round();
	}

	__device__ inline void start_round() {
		int most = 0;
		for (u32 i = 0; i < h.num_alive; i++)
			most = edges[h.alive[i]].visits > most ? edges[h.alive[i]].visits : most;
		const int share = h.budget / (int)(h.rounds * h.num_alive);
		h.quota = most + (share > 1 ? share : 1);
	}

	// choose_root returns the root's move to visit next.
	__device__ inline u32 choose_root() {
		u32 kept = 0;
		for (u32 i = 0; i < h.num_alive; i++)
			if (edges[h.alive[i]].proof == unknown)
				h.alive[kept++] = h.alive[i];
		h.num_alive = kept;
		if (kept == 0) {
			consider(considered);
			start_round();
		}
		for (;;) {
			u32 next = h.alive[0];
			for (u32 i = 1; i < h.num_alive; i++)
				if (edges[h.alive[i]].visits < edges[next].visits)
					next = h.alive[i];
			if (edges[next].visits < h.quota)
				return next;
			sort_alive();
			h.num_alive = (h.num_alive + 1) / 2;
			start_round();
		}
	}

	// proved returns a move of a proved node with the same proof.
	__device__ inline u32 proved(const Node &n) const {
		u32 e = n.edges;
		while (edges[e].proof != n.proof)
			e++;
		return e;
	}

	__device__ inline u32 best() {
		const Node root = nodes[0];
		if (root.end - root.edges == 1)
			return root.edges;
		if (root.proof != unknown)
			return proved(root);
		u32 best = root.edges;
		sort_alive();
		for (u32 i = 0; i < h.num_alive; i++)
			if (i == 0 || edges[h.alive[i]].visits > edges[best].visits)
				best = h.alive[i];
		// A proved draw is better than a move that rather loses.
		for (u32 e = root.edges; e < root.end; e++)
			if (edges[e].proof == draw && (edges[best].visits == 0 || edges[best].mean() < 0))
				return e;
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
				line[length++] = e.move;
				if (!(at = e.child) || nodes[at].proof == unknown)
					break;
			}
		float *const policy = a.policies + (u64)number * a.board.cells;
		if (root.evaluated) {
			const bool certain = root.proof == win || root.proof == draw;
			for (u32 cell = 0; cell < a.board.cells; cell++)
				policy[cell] = certain && cell == move ? 1 : 0;
			if (!certain) {
				improve(root);
				for (u32 e = root.edges; e < root.end; e++)
					policy[edges[e].move] = (float)scores[e - root.edges];
			}
		}
		const u32 words[result_words] = {1, move, (u32)root.proof, h.used, length, root.evaluated, (u32)h.random,
			(u32)(h.random >> 32)};
		for (u32 i = 0; i < result_words; i++)
			a.results[number * result_words + i] = words[i];
		h.status = idle;
	}
};

} // namespace gumbel
