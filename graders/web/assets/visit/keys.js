// A visitor's question: a digit gives its value.

/** Listen for digits. */
export function start() {
  document.addEventListener("keydown", (event) => {
    const on = event.target instanceof HTMLElement ? event.target : document.body;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.repeat ||
      on.closest("input, textarea, select")
    )
      return;
    /** @type {HTMLElement | null} */
    const value = /^[1-9]$/u.test(event.key) ? document.querySelector(`[data-digit="${event.key}"]`) : null;
    if (!value) return;
    event.preventDefault();
    value.click();
  });
}
