/* Tables of functions of time, see function_tables.py. */

/* Put the cubics of the intervals in which the time lies into the state; before the first and after
   the last interval theirs go on. */
void fc_look_up(const fc_table *tables, int count, double *state) {
  for (int k = 0; k < count; k++) {
    const fc_table *t = tables + k;
    int low = 0, high = t->count;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (t->pieces[5 * middle] <= state[t->time])
        low = middle;
      else
        high = middle;
    }
    memcpy(state + t->at, t->pieces + 5 * low, 5 * sizeof(double));
  }
}

