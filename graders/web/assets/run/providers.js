// The providers that are installed, named where judges and models are typed.
import { el } from "../lead/el.js";
import { whenOffered } from "../lead/offered.js";

/** A line with the words of all providers. */
export function providersLine() {
  const line = el("p.s.m.providers");
  whenOffered("providers", (found) => {
    line.textContent = `Providers: ${found.map((one) => one.word).join(", ")}.`;
  });
  return line;
}

/** Which providers take batches, and what a call in one costs. */
export function batchWords() {
  const words = el("span.s.m");
  whenOffered("providers", (found) => {
    const taking = found.filter((one) => one.batch_share !== null);
    const each = taking.map((one) => `${one.word} at ${Math.round(100 * one.batch_share)} % of the price`);
    words.textContent = `(${each.join(", ") || "no provider takes any"}; done within a day)`;
  });
  return words;
}
