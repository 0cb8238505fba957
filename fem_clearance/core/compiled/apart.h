/* Declarations of apart.c. Arrays belong to Python. */

/* Unknowns that are eliminated by factors of their own: how many, their numbers in the matrix, and
   where in it their entries are. */
typedef struct {
  int size, entries;
  const int *unknown, *entry;
  double *values, *b, *x;       /* of the part */
  int (*factorise)(void *, const double *);
  int (*solve)(void *, const double *, double *, int);
  void *factors;                /* first argument of both */
} fc_part;

/* What the unknowns of one part do in the rows of the other: entries of the matrix by rows. */
typedef struct {
  int entries;
  const int *first, *column;    /* rows and columns numbered as in the parts */
  const int *entry;
  double *values;
} fc_coupling;

/* Factors of [A B; C D]: those of A and of D where B hardly matters, else of the whole. */
typedef struct {
  fc_part before, after, whole; /* A, D; the whole has no factors before they are needed */
  fc_coupling forward, back;    /* C and B */
  double most;                  /* of a change of D's unknowns that may come back to them through B */
  double came_back;             /* the last time */
  double *change;               /* of D's unknowns, by which that is estimated */
  int left, pause;              /* matrices whose whole is still factorised, and the next time */
  int factorised, together;     /* whether there are factors, and of the whole */
} fc_apart;

int fc_apart_factorise(fc_apart *s, const double *values);
int fc_apart_solve(fc_apart *s, const double *b, double *x, int transposed);

