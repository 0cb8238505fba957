/* The hot loop: packed coefficients, FFCx kernels, sums, and what PETSc's SNES calls in each
   iteration. It knows no mechanics. Each function is written in Python too, as the readable
   reference: evaluation in loop.py, Newton's in newton.py and tolerances.py, steps in
   integrators/. */
#include <math.h>
#include <string.h>

#define TRY(call)                \
  do {                           \
    int error_ = (call);         \
    if (error_) return error_;   \
  } while (0)

/* PETSc's numbers for these never change. */
enum { INSERT = 1, ADD = 2, FORWARD = 0, REVERSE = 1, INFINITY_NORM = 3 };

static double larger(double a, double b) { return b > a ? b : a; }
static double smaller(double a, double b) { return b < a ? b : a; }

/* --- evaluation ------------------------------------------------------------------------------- */

/* All cells of all batches: gather what each kernel reads from the state and call it. */
void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work) {
  for (int k = 0; k < batches; k++) {
    const fc_batch *b = batch + k;
    double *out = b->out;
    const int *g = b->gather;
    memset(out, 0, (size_t)b->cells * b->size * sizeof(double));
    for (int e = 0; e < b->cells; e++, out += b->size, g += b->width) {
      for (int i = 0; i < b->width; i++) work[i] = state[g[i]];
      b->kernel(out, work, 0, b->x + (size_t)e * b->geometry, 0, 0, 0);
    }
  }
}

/* sums[to] = base + sum of the values of `from` (all in turn if 0) times their signs; 0 without a
   base, all positive without signs. */
void fc_add(const int *from, const int *to, int count, const double *values, double *sums, int n,
            const double *base, const double *signs) {
  if (base)
    memcpy(sums, base, n * sizeof(double));
  else
    memset(sums, 0, n * sizeof(double));
  for (int i = 0; i < count; i++)
    sums[to[i]] += (signs ? signs[i] : 1) * values[from ? from[i] : i];
}

/* --- Newton ----------------------------------------------------------------------------------- */

/* Values that follow the unknowns, and their rows handed on to them. */
static void follow(fc_loop *s, double *values) {
  for (int k = 0; k < s->followers; k++) {
    double sum = 0;
    for (int i = s->first[k]; i < s->first[k + 1]; i++) sum += s->share[i] * values[s->leader[i]];
    values[s->local + k] = sum;
  }
}

static void hand_on(fc_loop *s, double *rows) {
  for (int k = 0; k < s->followers; k++)
    for (int i = s->first[k]; i < s->first[k + 1]; i++)
      rows[s->leader[i]] += s->share[i] * rows[s->local + k];
}

/* The state at the end of a step from the solver's unknowns: increments of coordinates, scaled
   values of algebraic unknowns. */
void fc_set(fc_loop *s, const double *x) {
  double *q = s->state, *v = q + s->total, *a = v + s->total;
  s->globals[0] = s->time;
  s->globals[1] = s->gamma;
  s->globals[2] = s->beta;
  s->globals[6] = s->per_step;
  for (int i = 0; i < s->local; i++) {
    double d = x[i] * s->scale[i];
    q[i] = s->q0[i] + d;
    d *= s->dynamic[i];
    v[i] = s->v0[i] + s->gamma * d;
    a[i] = s->beta * d;
  }
  follow(s, q);
  follow(s, v);
  follow(s, a);
}

/* The residual at the present state, unscaled. */
static void evaluate_rows(fc_loop *s) {
  fc_evaluate(s->residual, s->residuals, s->state, s->work);
  fc_add(0, s->rows, s->outputs, s->out, s->f, s->total, 0, 0);
  hand_on(s, s->f);
}

/* The largest of scaled rows in units of what it may leave. */
static double largest(const fc_loop *s, const double *rows) {
  double excess = 0;
  for (int i = 0; i < s->owned; i++) excess = larger(excess, fabs(rows[i]) * s->weights[i]);
  return excess;
}

static int function(void *snes, void *x, void *f, void *context) {
  fc_loop *s = context;
  const fc_petsc *p = &s->petsc;
  void *from = s->scatter ? s->ghosted : x, *to = s->scatter ? s->ghosted : f;
  const double *unknowns;
  double *rows;
  if (s->scatter) {
    TRY(p->VecScatterBegin(s->scatter, x, from, INSERT, FORWARD));
    TRY(p->VecScatterEnd(s->scatter, x, from, INSERT, FORWARD));
  }
  TRY(p->VecGetArrayRead(from, &unknowns));
  fc_set(s, unknowns);
  TRY(p->VecRestoreArrayRead(from, &unknowns));
  evaluate_rows(s);
  TRY(p->VecGetArray(to, &rows));
  for (int i = 0; i < s->local; i++) rows[i] = s->f[i] * s->scale[i];
  TRY(p->VecRestoreArray(to, &rows));
  if (s->scatter) {
    TRY(p->VecZeroEntries(f));
    TRY(p->VecScatterBegin(s->scatter, to, f, ADD, REVERSE));
    TRY(p->VecScatterEnd(s->scatter, to, f, ADD, REVERSE));
  }
  return 0;
}

/* The tangent at the present state. */
int fc_build(fc_loop *s, void *A) {
  fc_evaluate(s->tangent, s->tangents, s->state, s->work);
  if (s->followers) TRY(s->reduce(s->newton));
  for (int i = 0; i < s->kept; i++) {
    const int k = s->which ? s->which[i] : i;
    s->coo[i] = s->cells[k] * s->scale[s->coo_rows[k]] * s->scale[s->coo_cols[k]];
  }
  return s->petsc.MatSetValuesCOO(A, s->coo, INSERT);
}

static int jacobian(void *snes, void *x, void *A, void *P, void *context) {
  fc_loop *s = context;
  if (!(s->rebuild || s->full)) return 0; /* unchanged: PETSc keeps the factors too */
  s->age++;
  if (s->renewed++ % 4 == 1 || s->age > s->oldest) TRY(s->refresh(s->newton));
  s->rebuild = 0;
  s->built++;
  memcpy(s->at_tangent, s->state, s->numbers * sizeof(double));
  return fc_build(s, P);
}

static int converged(void *snes, fc_int its, double x, double step, double norm, int *reason,
                     void *context) {
  fc_loop *s = context;
  const fc_petsc *p = &s->petsc;
  const double last = s->excess, *f;
  double *mine;
  TRY(p->VecGetArrayRead(s->f_vector, &f));
  s->excess = largest(s, f);
  TRY(p->VecRestoreArrayRead(s->f_vector, &f));
  if (s->scatter) {
    TRY(p->VecGetArray(s->one_each, &mine));
    *mine = s->excess;
    TRY(p->VecRestoreArray(s->one_each, &mine));
    TRY(p->VecNorm(s->one_each, INFINITY_NORM, &s->excess));
  }
  *reason = s->iterating;
  if (!isfinite(norm)) *reason = s->nan; /* a maximum loses a NaN, this sum does not */
  else if (its && s->excess <= 1) *reason = s->converged;
  else if (its > 3 && s->excess > 1e6 * last) *reason = s->diverged;
  else if (its && !(s->excess < s->pace * last)) s->full = 1;
  /* -1: SNES keeps the tangent without looking for options that would compare it */
  return p->SNESSetLagJacobian(snes, s->rebuild || s->full ? 1 : -1);
}

/* Make SNES call the functions above. */
int fc_attach(fc_loop *s, void *snes, void *f, void *A) {
  TRY(s->petsc.SNESSetFunction(snes, f, (void *)function, s));
  TRY(s->petsc.SNESSetJacobian(snes, A, A, (void *)jacobian, s));
  return s->petsc.SNESSetConvergenceTest(snes, (void *)converged, s, 0);
}

/* Solve a step that ends at `time` from the guess in x. */
int fc_solve(fc_loop *s, double time, int full, void *snes, void *x) {
  s->time = time;
  s->full = full;
  s->renewed = full;
  s->excess = INFINITY;
  TRY(s->petsc.SNESSolve(snes, 0, x));
  TRY(s->petsc.SNESGetIterationNumber(snes, &s->its));
  s->iterations += s->its;
  return s->petsc.SNESGetConvergedReason(snes, &s->reason);
}

/* Whether a class of rows has met a larger force than ever: by the largest forces of all ranks, or 0
   on one rank. */
static int stronger_than_ever(fc_loop *s, const double *forces) {
  int stronger = 0;
  for (int k = 0; k < s->classes && forces; k++)
    if (forces[k] > s->force_scale[k]) {
      s->force_scale[k] = forces[k];
      stronger = 1;
    }
  if (forces) return stronger;
  memset(s->g, 0, s->total * sizeof(double));
  for (int i = 0; i < s->outputs; i++) s->g[s->rows[i]] += fabs(s->out[i]);
  for (int i = 0; i < s->owned; i++)
    if (s->measured[i] && s->g[i] * s->scale[i] > s->force_scale[s->row_class[i]]) {
      s->force_scale[s->row_class[i]] = s->g[i] * s->scale[i];
      stronger = 1;
    }
  return stronger;
}

/* Sums of the sizes of the cells' tangents, times `sizes` of the unknowns, in g. */
void fc_stiffness(fc_loop *s, const double *sizes) {
  memset(s->g, 0, s->total * sizeof(double));
  for (int i = 0; i < s->entries; i++)
    s->g[s->coo_rows[i]] += fabs(s->cells[i]) * sizes[s->coo_cols[i]];
}

/* What each row may leave: a part of its class's largest force, and its round-off. */
void fc_weigh(fc_loop *s) {
  double most = 0;
  for (int k = 0; k < s->classes; k++) most = larger(most, s->force_scale[k]);
  for (int i = 0; i < s->owned; i++) {
    const int k = s->row_class[i];
    const double force = larger(s->force_scale[k], s->floors[k] > 0 ? s->floors[k] : 1e-6 * most);
    s->weights[i] = 1 / (s->tolerance * s->part[i] * force + s->noise[i] * s->scale[i] + 1e-300);
  }
}

/* After an accepted step: force scales and the age of the tangent. */
void fc_accepted(fc_loop *s, const double *forces) {
  const int fade = ++s->steps % s->memory == 0;
  if (fade) /* the force of an impact must not loosen the tolerance for ever */
    for (int k = 0; k < s->classes; k++) s->force_scale[k] *= 0.5;
  if (stronger_than_ever(s, forces) || fade) fc_weigh(s);
  /* A tangent is kept as long as its steps stay cheaper than the mean since it was built. */
  if (s->built != s->before) {
    s->before = s->built;
    s->cost = s->price;
    s->since = 0;
  }
  s->cost += s->its + 1;
  s->since++;
  if ((s->its + 1.0) * s->since > s->cost) s->rebuild = 1;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Start values and first guess of a step; `ahead` is its length by the last one's, 0 without one.
   Values of other ranks' unknowns are computed here as there, not sent. */
int fc_predict(fc_loop *s, double ahead, void *x) {
  const double *c = s->coefficients;
  double *q = s->state, *v = q + s->total, *a = v + s->total, *guess;
  memcpy(s->saved_state, s->state, s->numbers * sizeof(double));
  memcpy(s->saved_alg, s->alg, s->local * sizeof(double));
  memcpy(s->saved_old, s->old, s->local * sizeof(double));
  memcpy(a + s->total, q, s->total * sizeof(double)); /* q_n */
  TRY(s->petsc.VecGetArray(x, &guess));
  for (int i = 0; i < s->local; i++) {
    double y = s->dynamic[i] ? a[i] : q[i], next = y + ahead * (y - s->old[i]), alg = s->alg[i];
    if (s->dynamic[i]) {
      if (ahead > 1) /* its time moves with the step: the jerk's part of it grows, no error does */
        alg += (ahead - 1) * c[8] * (a[i] - s->old[i]);
      else if (ahead)
        alg = a[i] + ahead * (alg - a[i]);
      const double base = c[1] * a[i] + c[2] * alg;
      s->q0[i] = q[i] + c[0] * v[i] + c[3] * alg + c[4] * base;
      s->v0[i] = v[i] + c[5] * alg + c[6] * base;
      s->alg[i] = base;
      next /= s->beta;
    } else
      s->q0[i] = s->v0[i] = s->alg[i] = 0;
    s->old[i] = y;
    if (i < s->owned) guess[i] = next / s->scale[i];
  }
  return s->petsc.VecRestoreArray(x, &guess);
}

void fc_update(fc_loop *s) {
  const double *a = s->state + 2 * s->total;
  for (int i = 0; i < s->local; i++) s->alg[i] += s->coefficients[7] * a[i];
}

/* --- contacts --------------------------------------------------------------------------------- */

/* The functions of timestepping/gaps.py over n components. */
int fc_gaps_read(fc_gaps *g, int n, int *ended) {
  int began = 0;
  *ended = 0;
  for (; n--; g++)
    for (int k = 0; k < g->count; k++) {
      const int at = k * g->observables;
      double *now = g->now + 3 * k;
      now[0] = g->depth[at], now[1] = g->rate[at], now[2] = g->acceleration[at];
      began += g->free[k] && now[0] > 0;
      *ended += !g->free[k] && !(now[0] > 0);
    }
  return began;
}

void fc_gaps_remember(fc_gaps *g, int n) {
  for (; n--; g++) {
    memcpy(g->before, g->now, 3 * g->count * sizeof(double));
    for (int k = 0; k < g->count; k++) g->free[k] = g->touching[k * g->parameters] == 0;
  }
}

void fc_gaps_prepare(fc_gaps *g, int n, double h) {
  for (; n--; g++)
    for (int k = 0; k < g->count; k++) {
      const double *z = g->before + 3 * k, depth = z[0], rate = z[1], size = fabs(z[2]);
      if (!g->free[k] || !(depth + h * (rate + size * h) > 0)) continue;
      const int steady = rate > 0 && size * h <= 0.5 * rate, at = k * g->parameters;
      const double coming = steady ? sqrt(larger(rate * rate - 2 * z[2] * depth, 0)) : rate;
      g->approach[at] = larger(coming, g->floor[at]);
    }
}

void fc_gaps_follow(fc_gaps *g, int n) {
  for (; n--; g++)
    for (int k = 0; k < g->count; k++) {
      const double *z = g->now + 3 * k;
      const int at = k * g->parameters, touching = z[0] > 0;
      const double speed = fabs(z[1]), direction = z[1] > 0 ? 1 : -1;
      double *approach = g->approach + at, *peak = g->peak + at, *last = g->direction + at;
      g->touching[at] = touching;
      g->active[at] = 1;
      if (!touching) {
        *approach = larger(z[1], g->floor[at]);
        *peak = *last = 0;
        continue;
      }
      if (!*last)
        g->entry[at] = *peak = *approach;
      else if (g->by_phase[at] && direction != *last) {
        *approach = larger(*peak, g->floor[at]);
        *peak = 0;
      }
      *last = direction;
      *peak = larger(*peak, speed);
      if (g->by_phase[at]) *approach = larger(*approach, speed);
      if (*approach <= g->floor[at]) g->slow[at] = 1;
    }
}

fc_resolution fc_gaps_resolution(const fc_gaps *g, int n, double h, double noise, double limit,
                                 double pressed) {
  fc_resolution found = {0, 0, -1};
  for (int number = 0; n--; g++)
    for (int k = 0; k < g->count; k++, number++) {
      const double *old = g->before + 3 * k, *now = g->now + 3 * k;
      const int at = k * g->parameters;
      if (!(now[0] > 0 || g->touching[at]) || (pressed && !g->bears)) continue;
      if (old[0] > 0 && fabs(now[0] - old[0]) < pressed * now[0]) continue;
      double speed = larger(fabs(now[1]), g->approach[at]);
      if (g->direction[at]) speed = larger(speed, g->entry[at]);
      const double hidden = h / 12 * noise / speed;
      double value = h / 12 * larger(fabs(now[2] - old[2]) - noise, 0) / speed;
      if (hidden >= limit) value = smaller(value, limit * larger(0.5, value / (4 * hidden)));
      if (value > found.worst) found = (fc_resolution){value, hidden, number};
    }
  return found;
}
