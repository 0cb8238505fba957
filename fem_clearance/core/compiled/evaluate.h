/* Declarations of evaluate.c. */

typedef void (*fc_kernel)(double *, const double *, const double *, const double *, const int *,
                          const uint8_t *, void *);

enum { BLOCKS = 4 }; /* of the state by unknowns: q, v, a, q_n */

/* All cells of one form of one component. With lanes the kernel takes so many cells at once:
   unknowns, gather and x are then [block][number][lane], and the last block repeats a cell. */
typedef struct {
  fc_kernel kernel;
  int lanes;
  int cells, width, size, geometry; /* of a cell: packed coefficients, outputs, coordinates */
  int dofs, reads;                  /* unknowns of a cell; how often a form reads them, first */
  int begin[BLOCKS];                /* where it reads them: of q, v, a or q_n, in the state */
  const int *unknowns;              /* their local numbers */
  const int *gather;                /* place in the state of each further packed coefficient */
  const double *x;                  /* coordinates of the cells; with nodes, of points */
  const int *nodes;                 /* those of each cell among the points; 0: none is shared */
  double *out;                      /* outputs, cells x size */
  const int *blank;                 /* of each `lanes` outputs of a cell in turn whether they are
                                       always 0; 0: nothing is known of them */
  int tabled;
  const fc_table *tables;           /* what the cells read of tables */
} fc_batch;

void fc_evaluate(const fc_batch *batch, int batches, const double *state, double *work);
void fc_add(const int *from, const int *to, int count, const double *values, double *sums, int n);

