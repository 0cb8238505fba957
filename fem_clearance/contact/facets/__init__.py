"""Contact on the facets of a solid: a law a unit of area, friction, wear."""
