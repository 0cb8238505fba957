#ifndef FC_VECTORS
#define FC_VECTORS
/* Vectors of LANES doubles, by GCC's extensions of C, which clang has too: one cell in each lane. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef double V __attribute__((vector_size(8 * LANES), may_alias));
typedef int64_t M __attribute__((vector_size(8 * LANES), may_alias)); /* all bits of a lane, or none */

static inline V every(double a) { return a - (V){}; }
static inline V choose(M m, V a, V b) { return (V)((m & (M)a) | (~m & (M)b)); }
static inline V v_fabs(V a) { return (V)((M)a & INT64_MAX); }
/* As C's: of a number and NaN the number. */
static inline V v_fmin(V a, V b) { return choose((a < b) | (b != b), a, b); }
static inline V v_fmax(V a, V b) { return choose((a > b) | (b != b), a, b); }

/* A function by lanes. */
#define EACH(f)                                          \
  static inline V v_##f(V a) {                           \
    for (int l = 0; l < LANES; l++) a[l] = f(a[l]);      \
    return a;                                            \
  }
#define EACH2(f)                                         \
  static inline V v_##f(V a, V b) {                      \
    for (int l = 0; l < LANES; l++) a[l] = f(a[l], b[l]); \
    return a;                                            \
  }
EACH(exp) EACH(log) EACH(sin) EACH(cos) EACH(tan) EACH(asin) EACH(acos) EACH(atan) EACH(sinh)
EACH(cosh) EACH(tanh) EACH(asinh) EACH(acosh) EACH(atanh) EACH(erf) EACH2(pow) EACH2(atan2)
#if LANES == 8 && defined(__AVX512F__) && !defined(__clang__)
static inline V v_sqrt(V a) { return (V)__builtin_ia32_sqrtpd512_mask(a, a, -1, 4); }
#elif LANES == 4 && defined(__AVX__) && !defined(__clang__)
static inline V v_sqrt(V a) { return (V)__builtin_ia32_sqrtpd256(a); }
#elif LANES == 2 && defined(__SSE2__) && !defined(__clang__)
static inline V v_sqrt(V a) { return (V)__builtin_ia32_sqrtpd(a); }
#else
EACH(sqrt)
#endif

static inline V square(V a) { return a * a; }
static inline V cube(V a) { return a * a * a; }
static inline V fourth(V a) { return square(a * a); }
static inline V inverse(V a) { return 1.0 / a; }
static inline V inverse_sqrt(V a) { return 1.0 / v_sqrt(a); }
static inline V power_3_2(V a) { return a * v_sqrt(a); }
static inline V power_5_2(V a) { return a * a * v_sqrt(a); }
#endif
