/* Declarations of tables.c. */

/* What a table says of one cell: cubics over time, of each interval its start and four coefficients
   from the lowest on, of which those of the present interval stand in the state. */
typedef struct {
  int count, at, time; /* intervals; places in the state of the five numbers and of the time */
  const double *pieces;
} fc_table;

void fc_look_up(const fc_table *tables, int count, double *state);

