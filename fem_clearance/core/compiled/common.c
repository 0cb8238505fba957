/* What all functions of the time loop use. They know no mechanics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                \
  do {                           \
    int error_ = (call);         \
    if (error_) return error_;   \
  } while (0)

/* PETSc's numbers for these never change. */
enum { INSERT = 1, ADD = 2, FORWARD = 0, REVERSE = 1, TWO_NORM = 1, FINAL = 0 };

/* Subnormal numbers are taken for 0 between flush and restore: some processors are many times
   slower with them. NaN and infinity are not touched. */
#if defined(__x86_64__)
enum { FLUSH = 0x8040 }; /* FTZ and DAZ of MXCSR */
static uint64_t mode(void) { return __builtin_ia32_stmxcsr(); }
static void restore(uint64_t to) { __builtin_ia32_ldmxcsr((unsigned)to); }
#elif defined(__aarch64__)
enum { FLUSH = 1 << 24 }; /* FZ of FPCR */
static uint64_t mode(void) {
  uint64_t now;
  __asm__ volatile("mrs %0, fpcr" : "=r"(now));
  return now;
}
static void restore(uint64_t to) { __asm__ volatile("msr fpcr, %0" : : "r"(to)); }
#else
enum { FLUSH = 0 };
static uint64_t mode(void) { return 0; }
static void restore(uint64_t to) {}
#endif

/* Returns what to restore. */
static uint64_t flush(void) {
  const uint64_t before = mode();
  if ((before & FLUSH) != FLUSH) restore(before | FLUSH);
  return before;
}

/* Call a method in Python, where numbers are as everywhere. */
static int in_python(int (*method)(void *), void *newton) {
  const uint64_t before = mode();
  restore(before & ~(uint64_t)FLUSH);
  const int error = method(newton);
  restore(before);
  return error;
}

static double larger(double a, double b) { return b > a ? b : a; }
/* The larger one, infinity if b is no number: a maximum would lose it. */
static double worse(double a, double b) { return b <= a ? a : b < INFINITY ? b : INFINITY; }
static double smaller(double a, double b) { return b < a ? b : a; }

