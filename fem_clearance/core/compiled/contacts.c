/* Contacts watched from step to step, see timestepping/event_set.py and contact_events.py. */

/* Read n components' gaps; returns how many contacts began in the step. */
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

/* The present state is the start of the next step. */
void fc_gaps_remember(fc_gaps *g, int n) {
  for (; n--; g++) {
    memcpy(g->before, g->now, 3 * g->count * sizeof(double));
    for (int k = 0; k < g->count; k++) g->free[k] = g->touching[k * g->parameters] == 0;
  }
}

/* Give free contacts that could begin within h, with a margin for their acceleration, the speed at
   which they would if their motion went on. */
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

/* After an accepted step: while free, the approach speed follows the motion; contact freezes it, or
   it is renewed by phases: it is then the largest size of the rate in this phase (compression or
   restitution) and in the one before. Least approach speeds follow the motion where there is no
   gravity. */
void fc_gaps_follow(fc_gaps *g, int n) {
  for (; n--; g++) {
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
    for (int i = 0; i < g->growing; i++) {
      double *floor = g->floor + g->grows[i] * g->parameters;
      *floor = larger(*floor, g->growth * fabs(g->now[3 * g->grows[i] + 1]));
    }
  }
}

/* What sticks or slips goes on so in the coming step. */
void fc_gaps_suspend(fc_gaps *g, int n) {
  for (; n--; g++)
    for (int k = 0; g->modes && k < g->count; k++) g->active[k * g->parameters] = 0;
}

/* See EventSet.resolution: of the worst contact, its number, what round-off hides of it. */
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

