/* The stages of a step: begun, solved, held on the constraints' velocities, ended. What takes more
   than one solution by the usual way is Python's, which then goes on here. */

/* where fc_stages begins; what it leaves to Python */
enum { ANEW, BEGUN, SETTLED };
enum { UNSOLVED = 1, UNSETTLED = 2 };

/* Constraints scale with mass times beta, by gamma if they hold velocities. */
void fc_scale(fc_loop *s, const fc_scaling *c, double beta, double gamma) {
  for (int k = 0; k < c->count; k++) {
    const int i = c->number[k];
    const double mass = c->masses[i] * (c->rated[k] ? beta / gamma : beta);
    c->scale[i] = c->constrained[k] ? mass : c->unit[k];
  }
  s->rebuild = 1;
  fc_weigh(s);
}

/* What turning directors add to the start of the stage. */
static void add_turned(const fc_loop *s, const fc_step *k) {
  const int n = s->local, m = k->history->count;
  for (int r = 0; r < k->turned; r++) {
    const int place = k->turned_place[r];
    const double *added = k->added + r * n;
    double *others[] = {s->q0, s->v0, k->velocities ? k->velocities->turned : 0};
    double *to = place < m ? k->history->own + place * n : others[place - m];
    if (to && k->turned_stage[r] == k->at)
      for (int i = 0; i < n; i++) to[i] += added[i];
  }
}

/* Factors, start values and first guess of the stage; the tangent is kept if the factors differ by
   round-off only. */
int fc_begin_stage(fc_loop *s, fc_step *k) {
  const fc_stage *stage = k->stage + k->at;
  if (!k->at)
    for (int i = 0; i < k->kept; i++)
      memcpy(k->keep[i].to, k->keep[i].from, k->keep[i].count * sizeof(double));
  s->per_step = 1 / stage->length;
  if (fabs(stage->beta - s->beta) > 1e-12 * stage->beta) {
    s->beta = stage->beta;
    s->gamma = stage->gamma;
    fc_scale(s, k->scaling, s->beta, s->gamma);
  }
  TRY(fc_predict(s, k->history, stage, k->last > 0 ? k->h / k->last : 0, k->x));
  s->shown = 0;
  if (k->velocities) {
    k->velocities->seen = stage->seen;
    memset(k->velocities->turned, 0, s->local * sizeof(double));
  }
  if (!k->turning) return 0;
  if (!k->at) {
    TRY(fc_turn(s, k->turning, k->h, k->last, k->older, k->weights, k->turned, k->added));
    fc_remember(s, k->turning);
  }
  if (k->turning->turns) add_turned(s, k);
  return 0;
}

/* Solve the equations of the stage; what has gone wrong is in error and the solver's reason. */
static int solve_stage(fc_loop *s, fc_step *k, double square) {
  const int at = k->at * s->local;
  if (k->velocities) TRY(fc_expect(s, k->velocities, square, k->taken + at, k->base, k->x));
  k->error = 0;
  k->wanted = UNSOLVED;
  if (k->by_hand) return 0;
  k->error = fc_solve(s, k->t + k->stage[k->at].length, 0, k->snes, k->x);
  if (!k->error && s->reason > 0) k->wanted = 0;
  return 0;
}

/* Hold the velocities too. */
static int settle_stage(fc_loop *s, fc_step *k, double square) {
  fc_velocities *w = k->velocities;
  double *taken = k->taken + k->at * s->local;
  memcpy(s->v0, k->base, s->local * sizeof(double));
  w->accepted = 4;
  TRY(fc_balance(s, w, k->corrections, k->ksp, k->x, k->dx));
  k->wanted = w->asked || !(w->excess <= 1) ? UNSETTLED : 0;
  if (!k->wanted)
    for (int i = 0; i < s->local; i++) taken[i] = w->x[i] / square;
  return 0;
}

/* The stages from the one under way on, which may be begun already, or settled by Python. */
int fc_stages(fc_loop *s, fc_step *k, int from) {
  for (; k->at < k->stages; k->at++, from = ANEW) {
    const double h = k->t + k->stage[k->at].length - k->t;
    if (from == ANEW) TRY(fc_begin_stage(s, k));
    if (from != SETTLED) {
      TRY(solve_stage(s, k, h * h));
      if (!k->wanted && k->velocities) TRY(settle_stage(s, k, h * h));
      if (k->wanted) return 0;
    }
    if (k->middles && k->at + 1 < k->stages)
      memcpy(k->middles + (size_t)k->at * s->numbers, s->state, s->numbers * sizeof(double));
    fc_update(s, k->history, k->stage + k->at);
  }
  k->wanted = 0;
  return 0;
}
