/* Declarations of nodes.c. Arrays belong to Python. */

/* One dense block in a row of blocks of L or of U. */
typedef struct {
  int z;                        /* where in z the unknowns of its columns begin */
  int place, columns;           /* of the block in the arena */
} fc_block;

/* One product of the elimination: `of` -= `lower` * `upper`, places in the arena. */
typedef struct {
  int of, lower, upper;
  int height, columns;          /* of `of`: vectors in a column, columns */
} fc_product;

/* LU factors of a sparse matrix of dense blocks, those of the nodes of a chain, which are eliminated
   as they come and pivoted within. Blocks lie by columns, padded with zeros to whole vectors.
   L has the identity on its diagonal; of U's diagonal blocks the negative inverses are kept. */
typedef struct {
  int n, nodes, size;           /* unknowns, nodes, numbers in the arena */
  int factorised;               /* whether there are factors */
  const int *first, *place;     /* of each row its entries, and of each entry its place in the arena */
  const int *start;             /* of each node the first unknown; then n */
  const int *z_start, *height;  /* of each node where it begins in z, and vectors in a column */
  const int *diagonal;          /* of each node its block */
  const int *left_first, *right_first; /* of each node its blocks of L, of U, in turn */
  const fc_block *left, *right;
  const int *below_first, *below; /* of each node the blocks of L in its columns: place, height */
  const int *product_first;     /* and the products that eliminate it */
  const fc_product *product;
  double *arena, *z, *largest;  /* blocks; a vector; largest entry of each row of the matrix */
} fc_nodes;

int fc_nodes_width(void);
int fc_nodes_factorise(fc_nodes *s, const double *values);
int fc_nodes_solve(fc_nodes *s, const double *b, double *x, int transposed);

