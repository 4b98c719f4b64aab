"""A page: its address, title, and how it is built. Each is a Gradio Blocks of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graders.web.kit.frame import Frame
from graders.web.kit.gradio import gr, no_queue, unserved
from graders.web.kit.site import Site


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `nav` is its word in the navigation, where it stands in a `group` (`GROUPS`) by its
    `order`.

    `build` puts Gradio's components and parts of the kit into a frame. A page with neither time nor
    place for events, as the desk, has a `module` instead: a JavaScript module whose `start(mount)`
    draws it, under the assets or, with a slash in front, an address of its own. `css` names files
    under the assets or by their whole path.
    """

    path: str
    title: str
    nav: str
    order: float
    group: str = "results"
    module: str = ""
    css: tuple[str, ...] = ()
    build: Callable[[Frame], None] | None = None


def blocks_of(page: Page, site: Site) -> gr.Blocks:
    """The Blocks of a page, to be mounted."""
    if page.build is None:
        return shell(page, site.assets)
    with unserved(), Frame(page.path, page.title, site) as frame:
        page.build(frame)
    made: gr.Blocks = frame.blocks
    no_queue(made)
    return made


def shell(page: Page, assets: str) -> gr.Blocks:
    """The Blocks of a page. The template is constant: data never pass through it. `assets` is the
    address of the assets."""
    module = page.module if page.module.startswith("/") else f"{assets}/{page.module}"
    script = (
        f"import('{module}').then(m => {{ window.cogradeRest(); return "
        f"m.start(element.querySelector('.mount')) }}).catch(e => {{"
        "const p = document.createElement('p'); p.setAttribute('role', 'alert'); "
        "p.style.padding = '24px';"
        "p.textContent = 'This page could not be loaded (' + e.message + '). "
        "Please reload it.'; element.append(p)})"
    )
    blocks: gr.Blocks
    with (
        unserved(),
        gr.Blocks(
            title=f"{page.title} · Cograde", fill_width=True, analytics_enabled=False
        ) as blocks,
    ):
        gr.HTML(
            html_template="<div class='mount'></div>", js_on_load=script, apply_default_css=False
        )
    no_queue(blocks)
    return blocks
