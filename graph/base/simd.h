/* simd.h -- which wide instruction sets a kernel may be compiled for beside the machine's common one.
 * A kernel is a file included once per set, in functions marked with its target, and the one to run is chosen
 * with __builtin_cpu_supports. (target_clones would do the choosing, but compilers take vector types apart
 * before they clone, clang refuses it on some, and its resolvers run before the address sanitizer is up.) */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define SIMD_X86 1
#include <immintrin.h>
#define SIMD_AVX2 __attribute__((target("avx2,popcnt,bmi")))
#define SIMD_AVX512 __attribute__((target("avx512f,avx512bw,popcnt,bmi")))
#else
#define SIMD_X86 0
#endif
