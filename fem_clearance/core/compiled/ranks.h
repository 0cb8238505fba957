/* Declarations of ranks.c. */

/* MPI's function by which numbers of all ranks become one, and its arguments; all 0 on one rank. */
typedef struct {
  int (*allreduce)(const void *, void *, int, void *, void *, void *);
  void *comm, *number, *sum, *largest;
} fc_comm;

/* How this rank exchanges values with others; all 0 where there are none. */
typedef struct {
  void *scatter;                      /* from owned unknowns to local ones */
  void *local, *owned;                /* vectors of both, in use during an exchange alone */
  double *largest;                    /* room for as many as the largest are found of */
  fc_comm comm;
} fc_ranks;
