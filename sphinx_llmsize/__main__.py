"""Entry point of ``python -m sphinx_llmsize``, the same as ``llmsize``."""

import sys

from sphinx_llmsize.cli import main

sys.exit(main())
