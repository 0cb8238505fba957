
/* Numbers of cells that stay from step to step but for copies, as long as what is watched stays in
   an interval. */

/* What is watched of a cell, or its rate. */
static double seen_of(const fc_steady *g, int cell, int column) {
  return g->observed[cell * g->observables + column];
}

/* Whether a cell of n components is at the end of its interval, or beyond. */
int fc_steady_leave(const fc_steady *g, int n) {
  for (; n--; g++)
    for (int k = 0; k < g->cells && g->value >= 0; k++) {
      const double x = seen_of(g, k, g->value);
      if (!(x > g->low[k] + g->near[k] && x < g->high[k] - g->near[k])) return 1;
    }
  return 0;
}

/* Time until the first of them leaves its interval at its present rate. */
double fc_steady_left(const fc_steady *g, int n) {
  double least = INFINITY;
  for (; n--; g++)
    for (int k = 0; k < g->cells && g->rate >= 0; k++) {
      const double x = seen_of(g, k, g->value), rate = seen_of(g, k, g->rate);
      const double ahead = rate > 0 ? g->high[k] - x : x - g->low[k];
      if (rate != 0 && ahead > 0) least = smaller(least, ahead / fabs(rate));
    }
  return least;
}

/* Whether one of them left it before the end of the step, which should have ended there. */
int fc_steady_late(const fc_steady *g, int n) {
  for (; n--; g++)
    for (int k = 0; k < g->cells && g->rate >= 0; k++) {
      const double x = seen_of(g, k, g->value);
      if (larger(x - g->high[k], g->low[k] - x) > g->beyond) return 1;
    }
  return 0;
}

/* Copy what is observed of all cells into their numbers. */
void fc_steady_copy(const fc_steady *g, int n) {
  for (; n--; g++)
    for (int k = 0; k < g->cells; k++)
      for (int i = 0; i < g->copies; i++)
        g->own[k * g->numbers + g->to[i]] = seen_of(g, k, g->from[i]);
}
