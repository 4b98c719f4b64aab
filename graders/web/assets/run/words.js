// Numbers in words.

/** `90` -> "2 min". */
export function seconds(value) {
  if (value < 1) return "under 1 s";
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

/**
 * US dollars: what is less than a cent and not nothing is said so; `each`, the price of one reply, keeps four
 * digits.
 */
export function money(value, each = false) {
  if (each) return `$${value.toFixed(4)}`;
  return value > 0 && value < 0.01 ? "under $0.01" : `$${value.toFixed(2)}`;
}
