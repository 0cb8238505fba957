"""What cases with beams share."""

from ..bodies.beams.models import SECTION_MODELS
from ..runs.parameters import Parameter

#: the papers' beams have plane sections
SECTION_MODEL = Parameter(
    "section_model", "plane",
    text="sections of beams stay plane, or warp freely as Saint-Venant's do",
    choices=SECTION_MODELS[::-1],
)  # fmt: skip
