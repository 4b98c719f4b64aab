// Numbers in words.

/** `90` -> "2 min". */
export function seconds(value) {
  if (value < 1) return "under 1 s";
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

/** US dollars; small sums keep their digits. */
export const money = (value) => (value && value < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`);
