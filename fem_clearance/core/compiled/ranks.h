/* Declarations of ranks.c. */

enum { FC_LARGEST = 3 };

/* How this rank exchanges values with others; all 0 where there are none. */
typedef struct {
  void *scatter;                      /* from owned unknowns to local ones */
  void *local, *owned;                /* vectors of both, in use during an exchange alone */
  void *largest;                      /* vector of FC_LARGEST numbers a rank */
} fc_ranks;
