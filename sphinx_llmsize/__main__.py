"""``python -m sphinx_llmsize`` is the command ``llmsize``."""

import sys

from sphinx_llmsize.cli import main

sys.exit(main())
