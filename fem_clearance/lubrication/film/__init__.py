"""The film: Reynolds' equation on a surface, its lubricant, cavitation, thickness, liner."""

from .film import Film

__all__ = ["Film"]
