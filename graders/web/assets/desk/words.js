// The words of the interface: a flat dictionary from the server, with {places} and plural forms.

/** @typedef {(key: string, params?: Record<string, unknown>) => string} Words */

/**
 * `t(key, params)` over a flat dictionary; `key.one`, `key.few`, `key.other`, … are chosen by `params.n`.
 * @param {Record<string, string | undefined>} dictionary
 * @param {string} language
 * @returns {Words}
 */
export function makeWords(dictionary, language) {
  const rules = new Intl.PluralRules(language || "en");
  return function t(key, params = {}) {
    let text = dictionary[key];
    if (typeof params.n === "number")
      text = dictionary[`${key}.${rules.select(params.n)}`] ?? dictionary[`${key}.other`] ?? text;
    if (text === undefined) return key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
  };
}

/**
 * A machine's name for a reason in words; an unknown one is shown as it came, without underscores.
 * @param {Words} t
 * @param {string | null | undefined} reason
 */
export function reasonWords(t, reason) {
  const key = `reason.${reason}`;
  const text = t(key);
  return text === key ? String(reason || "").replaceAll("_", " ") : text;
}

/**
 * A number as people read it: at most two decimals, none when whole.
 * @param {number} value
 */
export function plainNumber(value) {
  return String(Math.round(value * 100) / 100);
}
