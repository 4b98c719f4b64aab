// Counts in sentences.

/** `1 question`, `1,425 questions`; `many` where the plural takes more than an s. */
export const several = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
