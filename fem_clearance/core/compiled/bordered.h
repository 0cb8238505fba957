/* Declarations of bordered.c. Arrays belong to Python. */

/* The border where several ranks have rows of it, which overlap: S and what is on its right are sums
   over the ranks. All 0 on one rank. */
typedef struct {
  int size;                     /* unknowns of the borders of all ranks */
  const int *at;                /* of those that this rank shares their numbers among them */
  double *part, *sum;           /* S by columns, of this rank and of all; then if an A is singular */
  double *right_part, *right;
  fc_comm comm;
} fc_shared_border;

/* LU factors of [A B; C D]: a sparse A of n rows in the order of elimination, which is not pivoted,
   and a border of m dense rows and columns. A = L U, Y = L^-1 B, W = C U^-1 and S = D - W Y with
   factors of its own, which are pivoted. */
typedef struct {
  int n, m, wide;               /* wide: m rounded up to a vector's width */
  int alone;                    /* how many of a shared border are of this rank alone: the first */
  int entries;                  /* of the matrix */
  int owned;                    /* unknowns of this rank, whose vectors have these alone */
  int factorised;               /* whether there are factors */
  const int *place;             /* of each in `arena` */
  const int *order;             /* number in the matrix of each unknown: A's, the border's */
  const int *first, *column;    /* pattern of A by rows, columns numbered as in `order` */
  const int *l_first, *l_column, *u_first, *u_column;
  const int *panel_end;         /* of each row of A the one after its panel: rows of U in turn, each
                                   with the columns of the one before but its first */
  const int *reached;           /* of each row of A whether C reaches its columns: others have no W */
  const int *y_range, *w_range; /* of each row of A where its row of Y, of W begins to differ from 0
                                   and where it ends, whole vectors: no more of them is kept */
  const int *y, *w;             /* of each row where in `arena` its first column would stand */
  double *arena;                /* A's entries, Y, W (transposed), S by columns */
  int size, s;                  /* its length, and where S begins */
  double *l, *u, *inverse;      /* factors of A, reciprocals of its pivots */
  double *work, *x, *right;     /* zeros between calls; n; wide */
  double *gathered;             /* n + 1 */
  int *pivots, *own_pivots;     /* of S, and of what is alone in it */
  void *gemm, *getrf, *getrs;   /* of BLAS and LAPACK */
  fc_shared_border shared;
} fc_bordered;

int fc_bordered_pattern(int n, const int *first, const int *column, int *l_first, int *l_column,
                        int *u_first, int *u_column, int room);
int fc_bordered_factorise(fc_bordered *s, const double *values);
int fc_bordered_solve(const fc_bordered *s, const double *b, double *x, int transposed);
