"""Sphinx domain that records what each page depends on, to reread only the affected pages.

Sphinx compares modification times. It misses a file that was moved or restored with an old
time, and rereads a page with a missing dependency at every build. So a page also records the
fingerprint of everything it was made from: a file's content, a model's entry in
``llmsize_models``, a template. A page is outdated once a fingerprint differs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sphinx.domains import Domain

from sphinx_llmsize.hosts.sphinx.guards import connect

if TYPE_CHECKING:
    from collections.abc import Set

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    FingerprintFunction = Callable[[BuildEnvironment, str], str]
    """Function that returns the fingerprint of a subject, such as of the file with a path."""
    Dependency = tuple[FingerprintFunction, str]
    """Function that computes a fingerprint, and its second argument, the subject."""
    Dependencies = dict[Dependency, str]
    """Fingerprint of each dependency when the page was read."""


class LlmSizeDomain(Domain):
    """Dependencies of all pages; Sphinx stores them and merges those of several processes."""

    name = "llmsize"
    label = "Language model sizes"
    data_version = 1
    initial_data = {"dependencies": {}, "catalogue_folders": set()}  # noqa: RUF012 - as Domain declares it

    confdir: Path
    """Folder of ``conf.py``."""

    @property
    def dependencies(self) -> dict[str, Dependencies]:
        """Dependencies of each page, by its docname."""
        return cast("dict[str, Dependencies]", self.data["dependencies"])

    @property
    def catalogue_folders(self) -> set[str]:
        """Folders that the last build generated pages in, below the source directory."""
        return cast("set[str]", self.data["catalogue_folders"])

    @catalogue_folders.setter
    def catalogue_folders(self, folders: set[str]) -> None:
        self.data["catalogue_folders"] = folders

    def clear_doc(self, docname: str) -> None:
        """Remove the entries of a page that was removed or is about to be reread."""
        self.dependencies.pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Add the entries of pages read by another process."""
        others: dict[str, Dependencies] = otherdata["dependencies"]
        self.dependencies.update((page, others[page]) for page in docnames if page in others)

    def resolve_any_xref(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return no targets: our output is referenced by labels of the standard domain."""
        return []

    def outdated_pages(self, known: Set[str]) -> Iterable[str]:
        """Pages with a changed fingerprint, except those already ``known`` to be outdated."""
        current: Dependencies = {}  # shared by all pages
        for page, recorded in self.dependencies.items():
            if page not in known and self._has_changed(recorded, current):
                yield page

    def _has_changed(self, recorded: Dependencies, current: Dependencies) -> bool:
        """True if a recorded fingerprint differs from the one in ``current``, a cache."""
        return any(
            fingerprint != _cached_fingerprint(current, self.env, dependency)
            for dependency, fingerprint in recorded.items()
        )


def llmsize_domain(env: BuildEnvironment) -> LlmSizeDomain:
    """The domain of this extension in a build environment."""
    return cast("LlmSizeDomain", env.get_domain(LlmSizeDomain.name))


def depend(env: BuildEnvironment, fingerprint: FingerprintFunction, subject: str) -> str:
    """Record a fingerprint as a dependency of the page being read, and return it.

    Args:
        env: the build environment.
        fingerprint: function that computes it; at module level, since it is pickled by name.
        subject: second argument of that function, such as a path.
    """
    # the page's record is also the cache, so that each fingerprint is computed once per reading
    recorded = llmsize_domain(env).dependencies.setdefault(env.docname, {})
    return _cached_fingerprint(recorded, env, (fingerprint, subject))


def resolve_from_confdir(
    env: BuildEnvironment, folders: Sequence[str | os.PathLike[str]]
) -> tuple[str, ...]:
    """Absolute paths of folders set in ``conf.py``, where they may be relative to its folder."""
    confdir = llmsize_domain(env).confdir
    return tuple(os.path.normpath(os.path.join(confdir, folder)) for folder in folders)


def _cached_fingerprint(cache: Dependencies, env: BuildEnvironment, dependency: Dependency) -> str:
    """The fingerprint of a dependency in ``cache``; computed and added if it is missing."""
    if dependency not in cache:
        fingerprint, subject = dependency
        cache[dependency] = fingerprint(env, subject)
    return cache[dependency]


def _set_confdir(app: Sphinx) -> None:
    """Set the domain's ``confdir``, which isn't stored between builds."""
    llmsize_domain(app.env).confdir = Path(app.confdir)


def _list_outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages to reread besides those that Sphinx found itself."""
    return list(llmsize_domain(env).outdated_pages(added | changed | removed))


def setup(app: Sphinx) -> None:
    """Register the domain and compare its fingerprints before each build."""
    app.add_domain(LlmSizeDomain)
    connect(app, "builder-inited", _set_confdir)
    connect(app, "env-get-outdated", _list_outdated, otherwise=())
