"""``python -m fem_clearance``: the same program as ``fem-clearance``."""

import sys

from .cli import main

sys.exit(main())
