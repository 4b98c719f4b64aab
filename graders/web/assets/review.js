// The review page: the header that all pages share, and under it the desk.
import { frame } from "./lead/frame.js";
import { start as startDesk } from "./desk/start.js";

/** The number beside "Review" in the header, as the desk knows it now. */
function showWaiting(head, waiting) {
  const badge = head.querySelector("nav [aria-current=page] i");
  if (!badge) return;
  badge.textContent = waiting.toLocaleString("en");
  badge.title = `${badge.textContent} screens wait`;
  badge.hidden = !waiting;
}

export async function start(mount) {
  const head = document.createElement("div");
  head.className = "rv-head";
  const desk = document.createElement("div");
  mount.replaceChildren(head, desk);
  // The desk works without its navigation, so a header that cannot be drawn is left away.
  const draw = () => frame(head, "/review").then((drawn) => drawn.main.remove()).catch(() => head.replaceChildren());
  draw();
  addEventListener("cograde:counts", ({ detail }) => showWaiting(head, detail.waiting));
  addEventListener("cograde:person", draw);
  await startDesk(desk, {});
}
