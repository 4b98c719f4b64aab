// What the server offers because a part for it is installed: providers, kinds of files, downloads.
import { getJSON } from "./api.js";

const asked = new Map();

/** What is offered of a kind, asked for once; where it cannot be had now, it is asked for again next time. */
export function offered(kind) {
  if (!asked.has(kind))
    asked.set(
      kind,
      getJSON(`/api/offered/${kind}`).catch((error) => {
        asked.delete(kind);
        throw error;
      }),
    );
  return asked.get(kind);
}

/** `draw(found)` once it is there. Without it a page lacks only what helps. */
export const whenOffered = (kind, draw) => offered(kind).then(draw, () => {});
