/* Declarations of ranks.c. */

/* How this rank exchanges values with others; all 0 where there are none. */
typedef struct {
  void *scatter;                      /* from owned unknowns to local ones */
  void *local, *owned;                /* vectors of both, in use during an exchange alone */
  int count;                          /* how many numbers the largest are found of, at most */
  void *numbers;                      /* vector of so many a rank, likewise */
  double *largest;                    /* and the largest */
} fc_ranks;
