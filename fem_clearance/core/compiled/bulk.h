/* Declarations of bulk.c. */

/* Cells of one batch whose tangents are added up as they are evaluated. */
typedef struct {
  int side_by_side;                   /* so many dofs after each other, those that are free, lie
                                         side by side in every row */
  int rows_alike;                     /* so many dofs after each other have the same places */
  const uint16_t *place;              /* in the row of each of these dofs that of the first one of
                                         those side by side; 0: */
  const uint8_t *near;                /* the same, if 8 bits hold all of them */
} fc_bulk_cells;

/* All cells that fill bodies, and the entries that they add up to, row by row. */
typedef struct {
  int batches;
  const fc_batch *batch;
  const fc_bulk_cells *cells;
  int rows;                           /* numbers from here on are no unknowns */
  int owned;                          /* those from here on are of other ranks */
  int piece;                          /* entries that are added up at once on several ranks */
  const int *first, *cols;            /* where the entries of each row begin; their columns */
  double *work;                       /* room for the numbers of one block of cells */
  const fc_int *numbers;              /* of each local number that of all ranks */
  fc_int *columns;                    /* room for those of a row's columns */
} fc_bulk;

/* The residual of such cells. */
typedef struct {
  int batches, total;                 /* total: local numbers */
  const fc_batch *batch;
  double *work;                       /* room for the numbers of one block of cells */
  double *sizes;                      /* of the terms that were added last, by local number */
} fc_bulk_rows;

int fc_find_places(const fc_bulk *bulk, int k, uint16_t *place);
void fc_add_bulk_rows(const fc_bulk_rows *r, const double *state, double *sums);
void fc_add_bulk(const fc_bulk *bulk, const double *state, int low, int high, double *values);
int fc_insert(const fc_petsc *p, const fc_bulk *bulk, const double *entries, void *A);
void fc_scale_bulk(const fc_bulk *bulk, const double *scale, int low, int high, double *values);
