/* What all functions of the time loop use. They know no mechanics. */
#include <math.h>
#include <string.h>

#define TRY(call)                \
  do {                           \
    int error_ = (call);         \
    if (error_) return error_;   \
  } while (0)

/* PETSc's numbers for these never change. */
enum { INSERT = 1, ADD = 2, FORWARD = 0, REVERSE = 1, TWO_NORM = 1, INFINITY_NORM = 3 };

static double larger(double a, double b) { return b > a ? b : a; }
/* The larger one, infinity if b is no number: a maximum would lose it. */
static double worse(double a, double b) { return b <= a ? a : b < INFINITY ? b : INFINITY; }
static double smaller(double a, double b) { return b < a ? b : a; }

