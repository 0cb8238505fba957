"""Oil films: Reynolds' equation on a surface, coupled to the bodies it separates."""
