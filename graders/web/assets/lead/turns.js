// Of several questions under way the last one counts: a reply that a later question has overtaken is dropped.

/**
 * `const turn = turns()` once; then `const current = turn()` before a question, and `current()` tells after
 * it whether nothing was asked since.
 */
export function turns() {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}
