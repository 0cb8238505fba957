/* Work over accepted steps, see core/ledger.py and timestepping/contact_work.py. */

/* accounts of the ledger and channels that count them, see core/accounts.py */
enum { THROUGH = 3, ACCOUNTS = 5, COUNTED = 5 };

/* Of n components: the power that passes now, and what has passed in the step of h before. */
void fc_pass(const fc_passing *p, int n, double h, double *power, double *totals) {
  double now = 0;
  for (const fc_passing *end = p + n; p < end; p++)
    for (int e = 0; e < p->cells; e++) now += p->power[e * p->stride];
  totals[THROUGH] += h / 2 * (*power + now);
  *power = now;
}

/* Over n components: their forces now, then the work of a step, and what the channels that count it
   begin with: `offsets` and their shares of the accounts. */
void fc_count_work(const fc_forces *f, const fc_batch *forces, int n, const double *state,
                   double *work, const double *q, const double *q_n, const double *moving,
                   double *totals, const double *shares, const double *offsets, double *base) {
  fc_evaluate(forces, n, state, work);
  for (; n--; f++)
    for (int e = 0, i = 0; e < f->cells; e++) {
      double done = 0;
      for (int k = 0; k < f->dofs; k++, i++) {
        const int at = f->unknowns[i];
        done += moving[at] * (f->before[i] + f->now[i]) / 2 * (q[at] - q_n[at]);
        f->before[i] = f->now[i];
      }
      if (f->depth) {
        const double depth = f->depth[e * f->observables], was = f->was[e];
        if ((depth > 0) != (was > 0))
          done *= (1 + f->jumps) * larger(depth, was) / fabs(depth - was);
        f->was[e] = depth;
      }
      f->work[e] += done;
      totals[f->total] += done;
    }
  for (int c = 0; c < COUNTED; c++) {
    base[c] = offsets[c];
    for (int k = 0; k < ACCOUNTS; k++) base[c] += shares[c * ACCOUNTS + k] * totals[k];
  }
}

/* --- work of contacts ------------------------------------------------------------------------- */

/* Over n components, after a step that ended at t. */
void fc_touches_count(fc_touches *c, int n, double t) {
  enum { DEPTH, FORCE, SHARE, DENSITY, WORK, COMPRESSION, SPEED, WORST, GIVEN, COMPRESSED, TIME };
  for (; n--; c++)
    for (int k = 0; k < c->count; k++) {
      double *z = c->kept + (TIME + 1) * k;
      const int at = k * c->observables;
      const double depth = larger(c->depth[at], 0), force = c->force[at], was = z[DEPTH];
      const double share = c->share ? c->share[at] : 0;
      double given = (z[FORCE] + force) / 2 * (depth - was), density = 0;
      if (!(depth > 0 || was > 0)) {
        z[SHARE] = share;
        continue;
      }
      if (c->share) {
        if (share > 0) density = c->energy ? c->energy[at] / share : 0;
        given += (z[DENSITY] + density) / 2 * (share - z[SHARE]);
      }
      z[WORK] += given;
      z[COMPRESSION] = larger(z[COMPRESSION], z[WORK]);
      z[DEPTH] = depth, z[FORCE] = force, z[SHARE] = share, z[DENSITY] = density;
      if (depth > 0) {
        z[SPEED] = larger(z[SPEED], fabs(c->rate[at]));
        continue;
      }
      if (z[SPEED] > c->floor[k * c->parameters] && z[WORK] < z[WORST] * z[COMPRESSION]) {
        z[WORST] = z[COMPRESSION] > 0 ? z[WORK] / z[COMPRESSION] : -INFINITY;
        z[GIVEN] = -z[WORK], z[COMPRESSED] = z[COMPRESSION], z[TIME] = t;
      }
      z[WORK] = z[COMPRESSION] = z[SPEED] = 0;
    }
}
