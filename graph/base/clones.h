/* clones.h -- a plain loop compiled for several instruction sets, the best one chosen when the program starts.
 * Not under the address sanitizer: its run time is not up when the choice is made. */
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SIMD_CLONES __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define SIMD_CLONES
#endif
