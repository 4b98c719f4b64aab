// The review page: the header that all pages share, and under it the desk.
import { frame, words } from "./lead/frame.js";
import { start as startDesk } from "./desk/start.js";

/** The number beside "Review" in the header, as the desk knows it now. */
function showLeft(head, left) {
  const badge = head.querySelector("nav [aria-current=page] i");
  if (!badge) return;
  badge.textContent = left.toLocaleString("en");
  badge.title = `${badge.textContent} ${words.mine}`;
  badge.hidden = !left;
}

export async function start(mount) {
  const head = document.createElement("div");
  head.className = "rv-head";
  const desk = document.createElement("div");
  mount.replaceChildren(head, desk);
  // The desk works without its navigation, so a header that cannot be drawn is left away.
  const draw = () =>
    frame(head, "/review")
      .then((drawn) => drawn.main.remove())
      .catch(() => head.replaceChildren());
  draw();
  addEventListener(
    "cograde:counts",
    (event) => event instanceof CustomEvent && showLeft(head, event.detail.left),
  );
  addEventListener("cograde:person", draw);
  await startDesk(desk, {});
}
