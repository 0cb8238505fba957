"""The film: Reynolds' equation on a surface, its lubricant, cavitation, thickness, liner."""
