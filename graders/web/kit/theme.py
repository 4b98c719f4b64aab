"""The colours and sizes of Cograde as a theme of Gradio, light and dark."""

from __future__ import annotations

from graders.web.kit.gradio import gr

#: Colour of a role: light, dark.
PAGE, SURFACE, SUNK = ("#f5f4ef", "#13161a"), ("#fffefb", "#1a1e24"), ("#efede6", "#22272f")
INK, MUTED, LINE = ("#1f2430", "#e8e6e1"), ("#596273", "#a4adba"), ("#dedacf", "#323945")
ACCENT, ON, SOFT = ("#0f665f", "#63c7b8"), ("#ffffff", "#0b1f1c"), ("#d9ebe6", "#1f3a37")
DEEP, EDGE = ("#0b524c", "#7ad3c6"), ("#8d8a80", "#6d7685")

#: Variable of Gradio -> its colour.
_COLOURS = {
    "body_background_fill": PAGE,
    "body_text_color": INK,
    "body_text_color_subdued": MUTED,
    "background_fill_primary": SURFACE,
    "background_fill_secondary": SUNK,
    "block_background_fill": SURFACE,
    "block_border_color": LINE,
    "block_label_background_fill": SURFACE,
    "block_label_text_color": MUTED,
    "block_title_text_color": MUTED,
    "block_info_text_color": MUTED,
    "border_color_primary": LINE,
    "border_color_accent": ACCENT,
    "color_accent_soft": SOFT,
    "link_text_color": ACCENT,
    "input_background_fill": SURFACE,
    "input_border_color": EDGE,
    "input_border_color_focus": ACCENT,
    "input_placeholder_color": MUTED,
    "button_primary_background_fill": ACCENT,
    "button_primary_background_fill_hover": DEEP,
    "button_primary_text_color": ON,
    "button_secondary_background_fill": SURFACE,
    "button_secondary_background_fill_hover": SUNK,
    "button_secondary_text_color": INK,
    "button_secondary_border_color": LINE,
    "checkbox_background_color_selected": ACCENT,
    "checkbox_border_color": EDGE,
    "checkbox_label_background_fill": SURFACE,
    "checkbox_label_background_fill_hover": SUNK,
    "checkbox_label_background_fill_selected": SOFT,
    "checkbox_label_text_color": INK,
    "checkbox_label_text_color_selected": INK,
    "table_even_background_fill": SURFACE,
    "table_odd_background_fill": SURFACE,
    "table_text_color": INK,
    "table_border_color": LINE,
}


def theme() -> gr.Theme:
    """The theme that all pages have."""
    made = gr.themes.Base(
        primary_hue=gr.themes.colors.teal,
        neutral_hue=gr.themes.colors.slate,
        radius_size=gr.themes.sizes.radius_md,
        spacing_size=gr.themes.sizes.spacing_sm,
        font=["ui-sans-serif", "system-ui", "sans-serif"],
        font_mono=["ui-monospace", "monospace"],
    )
    light = {name: colours[0] for name, colours in _COLOURS.items()}
    dark = {f"{name}_dark": colours[1] for name, colours in _COLOURS.items()}
    # Gradio has no dark twin of this one.
    return made.set(color_accent="var(--link-text-color)", **light, **dark)
