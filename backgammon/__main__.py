"""`python -m backgammon` is the command `backgammon`."""

import sys

from backgammon.command.main import main

sys.exit(main())
