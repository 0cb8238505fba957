"""``python -m fem_clearance``: the same program as ``fem-clearance``."""

import sys

from .program.cli import main

sys.exit(main())
