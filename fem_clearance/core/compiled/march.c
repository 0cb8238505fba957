/* Steps of a run, one after the other as long as there is nothing to decide: all as long as the last
   one, no contact begins or ends, no law changes. What is left of a step is Python's. */
#include <time.h>

enum { NOTHING, TO_SOLVE, TO_JUDGE };

/* Whether the coming step is as long as the last one, and the time that it aims at. */
static int goes_on(const fc_march *m, double *target) {
  const double h = m->step->h;
  *target = smaller(m->change, m->t_end);
  if (m->adaptive) return *target - m->t >= 2 * h;
  *target = m->origin + (m->grid + 1) * m->dt;
  if (*target > m->t_end - 1e-6 * m->dt || m->change < *target + m->near) return 0;
  const double left = *target - m->t;
  const int last = h == m->dt && left <= h && fabs(left - h) < 1e-6 * h;
  return last || left >= 2 * h || fabs(left - h) <= 1e-9 * h;
}

/* Whether a fixed step must be cut for the contacts, or may grow again after it was. */
static int changes(const fc_march *m, double noise) {
  const double h = m->step->h, limit = m->bearable;
  const fc_resolution found = fc_gaps_resolution(m->gap, m->gaps, h, noise, limit, m->pressed);
  const double part = found.worst > 0 ? limit / found.worst : INFINITY;
  return part < 1 || (h != m->dt && log2(0.8 * sqrt(part)) >= 1);
}

/* The error of the step in units of its tolerance; what it is of is noted. */
static double error_of(fc_loop *s, fc_march *m, double noise, int *blurred) {
  const fc_step *k = m->step;
  const double h = k->h, limit = m->contact_tolerance;
  int *which = m->limited + m->done;
  double error = 0;
  fc_errors(s, k->history, k->stages - 1, m->first_order, h * h * m->constant, noise, m->errors);
  *which = 0;
  for (int i = 0; i < s->owned; i++) {
    const double value = m->errors[i] / (h * m->rates[i]), root = m->first_order ? value : sqrt(value);
    const double e = (m->rates[i] > 0 ? value * root : m->errors[i]) / m->allowed[i];
    if (e != e) return e;
    if (e > error) error = e, *which = i;
  }
  if (!m->gaps) return error;
  const fc_resolution found = fc_gaps_resolution(m->gap, m->gaps, h, noise, limit, 0);
  const double contact = pow(found.worst / limit, m->order / 2.0);
  if (contact > error) error = contact, *which = -1 - found.which;
  *blurred = found.hidden > limit;
  return error;
}

/* What is looked at after every step. */
static void observe_step(fc_loop *s, const fc_channels *c) {
  if (!c->acting) return;
  follow_all(s);
  fc_evaluate(c->observe, c->acting, s->state, c->work);
}

/* Whether the step just made, and observed, must be judged in Python. */
static int doubtful(fc_loop *s, fc_march *m) {
  const double h = m->step->h, noise = m->noise * s->beta;
  int ended = 0, blurred = 0;
  if (h > m->smallest && fc_steady_late(m->steady, m->steadies)) return 1;
  if (m->gaps && (fc_gaps_read(m->gap, m->gaps, &ended) || ended)) return 1;
  if (!m->adaptive) return m->gaps ? changes(m, noise) : h != m->dt;
  const double error = error_of(s, m, noise, &blurred);
  if (!(error <= 1) || blurred) return 1;
  const double wish = error > 0 ? m->safety * pow(error, -1.0 / m->order) : m->grow;
  const double factor = smaller(m->grow, larger(m->shrink, wish));
  if (factor < m->max_shrink_kept) return 1;
  if (factor >= m->min_growth && !m->cautious && h < m->largest) return 1;
  m->cautious = 0;
  return 0;
}

/* Everything that an accepted step changes; `update`: numbers of cells, too, by Python. */
static int accept_step(fc_loop *s, fc_march *m, int update) {
  const double *q = s->state, *q_n = s->state + 3 * s->total;
  if (m->passings) fc_pass(m->passing, m->passings, m->step->h, m->power, m->totals);
  fc_count_work(m->forces, m->work, m->counted, s->state, m->packed, q, q_n, m->moving, m->totals,
                m->shares, m->offsets, m->base);
  if (m->gaps) fc_gaps_follow(m->gap, m->gaps);
  fc_steady_copy(m->steady, m->steadies);
  if (m->update && update) TRY(m->update(m->python));
  TRY(fc_accepted(s));
  if (m->touched) fc_touches_count(m->touches, m->touched, m->step->t + m->step->h);
  if (m->gaps) fc_gaps_remember(m->gap, m->gaps);
  return 0;
}

/* Whether a rigid body turns by more than the limit in a step. */
static int turns_fast(const fc_loop *s, const fc_march *m) {
  const double limit = m->fastest / m->step->h;
  double w[3];
  for (int b = 0; b < m->bodies; b++) {
    spin_of(m->directors + 9 * b, s->state, s->state + s->total, w);
    if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] > limit * limit) return 1;
  }
  return 0;
}

/* Record the step; `end`: the run may have to end with it. */
static int record_step(fc_loop *s, fc_march *m, int *end) {
  fc_channels *c = m->channels;
  const int n = c->n - 1;
  double *row = m->rows + (size_t)m->done * (n + 1);
  follow_all(s);
  fc_evaluate(c->observe + c->acting, c->observers - c->acting, s->state, c->work);
  TRY(fc_channels_add(c));
  row[0] = m->t;
  memcpy(row + 1, c->sums, n * sizeof(double));
  *end = m->energy && fc_energy_see(m->energy, c->sums, n, c->sums[n], m->t);
  return 0;
}

/* Wall time, s. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Keep the state at the end of the step; of numbers of cells that accepted steps change also what
   they were at its start, and the contacts' depths, rates and accelerations. */
static void keep_state(const fc_loop *s, const fc_march *m) {
  const double *start = m->step->history->saved_state;
  double *to = m->states + (size_t)m->done * m->kept;
  memcpy(to, s->state, s->numbers * sizeof(double));
  to += s->numbers + m->changing;
  for (int i = 0; i < m->changing; i++) *to++ = start[m->changed[i]];
  for (const fc_gaps *g = m->gap; g < m->gap + m->gaps; g++) {
    const int size = 3 * g->count;
    memcpy(to, g->before, size * sizeof(double));
    memcpy(to + size, g->now, size * sizeof(double));
    to += 2 * size;
  }
}

/* What they are once the step is accepted. */
static void keep_accepted(const fc_loop *s, const fc_march *m) {
  double *to = m->states + (size_t)m->done * m->kept + s->numbers;
  for (int i = 0; i < m->changing; i++) to[i] = s->state[m->changed[i]];
}

/* Take steps; afterwards `left` says what is left to do of another one. */
int fc_run(fc_loop *s, fc_march *m) {
  fc_step *k = m->step;
  const double end_by = now() + m->budget;
  double target;
  int end = 0, broken = 0, unsteady = 1; /* whether Python foresees the next change of a law */
  m->fast = 0;
  m->left = NOTHING;
  m->change = INFINITY;
  for (m->done = 0; m->done < m->most && !end; m->done++) {
    if (m->foresee && unsteady) TRY(m->foresee(m->python));
    if (!goes_on(m, &target)) return 0;
    if (m->gaps) fc_gaps_prepare(m->gap, m->gaps, k->h);
    if (m->suspends) fc_gaps_suspend(m->gap, m->gaps);
    k->t = m->t;
    k->at = 0;
    m->left = TO_SOLVE;
    TRY(fc_stages(s, k, ANEW));
    if (k->wanted) return 0;
    m->left = TO_JUDGE;
    observe_step(s, m->channels);
    if (m->examine && m->unsteady) {
      TRY(m->examine(m->python));
      if (m->refused) return 0;
    }
    /* on which all ranks agree */
    double found[] = {doubtful(s, m), turns_fast(s, m), now() > end_by,
                      m->unsteady || fc_steady_leave(m->steady, m->steadies),
                      -fc_steady_left(m->steady, m->steadies)};
    TRY(largest_over_ranks(s, found, 5));
    if (found[0]) return 0;
    unsteady = found[3] != 0;
    if (m->examine && unsteady && !m->unsteady) {
      TRY(m->examine(m->python));
      if (m->refused) return 0;
    }
    if (m->states) keep_state(s, m);
    TRY(accept_step(s, m, unsteady));
    if (m->states) keep_accepted(s, m);
    m->left = NOTHING;
    m->t = k->t + k->h;
    if (fabs(m->t - target) < 1e-9 * k->h) {
      m->t = target;
      m->grid += !m->adaptive;
    }
    if (m->foresee) m->change = m->t - found[4];
    k->older = k->last;
    k->last = k->h;
    m->fast = found[1] != 0;
    if (m->recording) TRY(record_step(s, m, &broken));
    end = broken || m->fast || m->t >= m->stop || found[2];
  }
  return 0;
}
