"""What to try where the film of a bearing has no solution."""


def remedy(bearing) -> str:
    """What to do if no solution is found for the film of a ``Bearing``, as a clause without a full
    stop."""
    if bearing.elastic:
        return (
            "solve for a wider gap, a lower speed or a stiffer liner first: each solution is "
            "the first guess of the next"
        )
    if bearing.expands:
        return (
            "where the expansion of journal and bush closes the clearance, the bearing seizes: "
            "solve for a wider gap, a lower speed or a cooler bearing first"
        )
    if bearing.coarser is None:
        return (
            "even numbers of cells in both directions (film.cells) let the search begin on "
            "coarser meshes"
        )
    return (
        "solve for a wider gap or a lower speed first: each solution is the first guess of the next"
    )
