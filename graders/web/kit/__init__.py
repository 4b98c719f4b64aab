"""The kit of the lead's pages: what Gradio has no part for, and the frame that each stands in.

A page is a function that puts Gradio's components and the kit's parts into a `Frame` and says how
they are drawn from the address:

    def build(frame: Frame) -> None:
        order = gr.Radio([...], label=...)
        grid = frame.part()
        frame.draws({"sort": order}, draw, [grid])

The address is the state of a page: links within it are plain ``<a href="?...">``, fields are named
by the parameter that they set, and one event draws the page for whatever the address says.
"""

from graders.web.kit.drawing import drawn
from graders.web.kit.frame import Asked, Frame, Parts
from graders.web.kit.site import Site
from graders.web.kit.view import View

__all__ = ["Asked", "Frame", "Parts", "Site", "View", "drawn"]
