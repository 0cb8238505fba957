/* Declarations of condensed.c. Arrays belong to Python. */

/* A sparse matrix by rows, whose values lie among the sums of cells' tangents, times the dense
   matrix that ties condensed values to their masters. */
typedef struct {
  int rows, masters;
  const int *first, *slave;     /* pattern of the sparse matrix */
  const int *entry;             /* places of its values among the sums */
  const double *ties;           /* slaves x masters */
  double *product;              /* rows x masters */
} fc_reduction;

void fc_reduce(const fc_reduction *r, int count, const double *sums);
