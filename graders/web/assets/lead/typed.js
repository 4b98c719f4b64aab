// What people type: keys that no browser keeps, numbers, and amounts of money in words.
import { el } from "./el.js";

/** A field for a key that is typed once: no browser keeps it, and it is emptied after it was sent. */
export function keyField(label = "Key of the provider") {
  return el("input.txt", {
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": label,
    placeholder: "key (used once, kept nowhere)",
  });
}

/**
 * A number as it was typed, decimal commas too; what is no number goes on as it is, for the server to say so.
 */
export function number(typed) {
  const value = typed.trim().replace(",", ".");
  return value === "" ? null : Number.isFinite(Number(value)) ? Number(value) : value;
}

/**
 * US dollars: what is less than a cent and not nothing is said so; `each`, the price of one reply, keeps four
 * digits.
 */
export function money(value, each = false) {
  if (each) return `$${value.toFixed(4)}`;
  return value > 0 && value < 0.01 ? "under $0.01" : `$${value.toFixed(2)}`;
}
