/* Declarations of bulk.c. */

/* Cells of one batch whose tangents are added up as they are evaluated. */
typedef struct {
  int dofs;
  const int *unknowns;                /* local numbers, cells x dofs */
  const uint16_t *place;              /* of each number that the kernel puts out in its row */
} fc_bulk_cells;

/* All cells that fill bodies, and the entries that they add up to, row by row. */
typedef struct {
  int batches;
  const fc_batch *batch;
  const fc_bulk_cells *cells;
  int rows;                           /* numbers from here on are no unknowns */
  const int *first, *cols;            /* where the entries of each row begin; their columns */
  double *work;                       /* room for the numbers of one block of cells */
} fc_bulk;

int fc_find_places(const fc_bulk *bulk, const fc_bulk_cells *cells, int count, uint16_t *place);
void fc_add_bulk(const fc_bulk *bulk, const double *state, double *values);
void fc_scale_bulk(const fc_bulk *bulk, const double *scale, double *values);
