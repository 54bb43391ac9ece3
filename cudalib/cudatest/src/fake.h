// The kernels that a fake driver is linked with.
#pragma once

#include "cuda.cuh"

#include <utility>

namespace fake {

// Kernel is a kernel, called with pointers to its arguments as CUDA passes them.
struct Kernel {
	const char *name;
	size_t parameters;
	const size_t *sizes; // of the parameters in bytes
	void (*call)(void **);
};

template <auto f> struct Call;
template <class... Args, void (*f)(Args...)> struct Call<f> {
	static constexpr size_t sizes[] = {sizeof(Args)..., 0};

	template <size_t... I> static void with([[maybe_unused]] void **args, std::index_sequence<I...>) {
		f(*static_cast<Args *>(args[I])...);
	}
	static void call(void **args) { with(args, std::index_sequence_for<Args...>()); }
	static Kernel kernel(const char *name) { return {name, sizeof...(Args), sizes, call}; }
};

template <auto f> Kernel kernel(const char *name) { return Call<f>::kernel(name); }

// Family is a family of kernels that is linked in.
struct Family {
	const Kernel *kernels;
	size_t n;
	const Family *next;

	static inline const Family *first;

	template <size_t n> explicit Family(const Kernel (&kernels)[n]) : kernels(kernels), n(n), next(first) {
		first = this;
	}
};

// find returns the kernel of a name, nullptr if there is none.
inline const Kernel *find(const char *name) {
	for (const Family *f = Family::first; f; f = f->next)
		for (size_t i = 0; i < f->n; i++)
			if (!strcmp(f->kernels[i].name, name))
				return &f->kernels[i];
	return nullptr;
}

} // namespace fake
