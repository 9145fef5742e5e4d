"""A site of Hugo, from the files in the docs' start."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from starts import files_of, write

PROGRAMS = Path(sys.executable).parent
LAYOUT = "{{ .Content }}"
POST = "content/posts/llama.md"


def build(site: Path) -> str:
    """Update and build a site; return the post."""
    update = (sys.executable, "-m", "sphinx_llmsize", "update", "content")
    for command in (update, (PROGRAMS / "hugo",)):
        subprocess.run(command, cwd=site, check=True)
    return (site / "public" / "posts" / "llama" / "index.html").read_text("utf-8")


def test_start(tmp_path: Path) -> None:
    write(tmp_path, {**files_of("hosts/hugo.md"), "layouts/page.html": LAYOUT})
    page = build(tmp_path)
    assert "LLaMA 7B has 6.74B parameters" in re.sub("<!--.*?-->", "", page)
    assert "<em>d</em><sub><em>h</em></sub> = 128" in page
    assert page.count('class="katex-display"') == 1
    assert "katex-error" not in page
    (picture,) = re.findall(r'<img src="/([^"]+)"', page)
    assert (tmp_path / "public" / picture).is_file()


def test_without_settings(tmp_path: Path) -> None:
    """Hugo removes no HTML, and shows no TeX."""
    files = files_of("hosts/hugo.md")
    write(tmp_path, {"hugo.toml": "", POST: files[POST], "layouts/page.html": LAYOUT})
    page = build(tmp_path)
    assert "6,738,415,616" in page
    assert "<sub>" not in page
    assert "$$" not in page
    assert 'class="language-mermaid"' in page
