#!/usr/bin/env python
"""Django's command line for Pasch, in a checkout; an installed one has `pasch` instead."""

from pasch.__main__ import main

if __name__ == "__main__":
    main()
