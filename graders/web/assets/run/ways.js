// How judges are reached and heard: an address and a key for each provider of a run, and whether several
// judges make one verdict.
import { el, fill } from "../lead/el.js";

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);

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
 * The judges that were typed, with commas between them; a space parts them too, but in the name of a model,
 * where it is said to be odd.
 */
export function judgeNames(typed) {
  return typed
    .split(/,/)
    .flatMap((some) => (some.includes(":") ? some.trim().split(/\s+(?=[^\s:]+:)/) : some.trim().split(/\s+/)))
    .filter(Boolean);
}

/**
 * The providers that judges name, such as openai; a judge that was set up stands for itself. A criterion may
 * stand before a judge: relevance=openai:gpt-4o.
 */
export function providers(judges) {
  return [...new Set(judges.map((judge) => judge.replace(/^[^:=]*=/u, "").split(":")[0]))];
}

/**
 * An address, a key and headers per provider. `words` name the fields, so that two forms of a page can be
 * told apart. With one provider they are for the whole run; each keeps what was typed while its provider is
 * named.
 */
export function waysFields(words = { address: "Address", key: "Key of" }) {
  const rows = new Map();
  const node = el("div");
  const make = (name) => ({
    address: el("input.txt", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "the provider's own",
    }),
    key: keyField(`${words.key} ${name || "the provider"}`),
    headers: el("textarea.txt", {
      rows: "2",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "X-Team: blue",
    }),
  });
  let names = [""];

  function follow(judges) {
    const found = providers(judges);
    const next = found.length > 1 ? found : [""];
    if (next.join() !== names.join() || !node.childNodes.length) {
      names = next;
      for (const name of names) if (!rows.has(name)) rows.set(name, make(name));
      // a key never stays behind a field that is gone
      for (const [name, row] of rows) if (!names.includes(name)) row.key.value = row.headers.value = "";
      fill(
        node,
        names.flatMap(draw),
        el("p.s.m", {}, "Keys, and headers that hold one, go to the run alone and are kept nowhere."),
      );
    }
  }

  function draw(name) {
    const { address, key, headers } = rows.get(name);
    const more = field("Headers that go with every call, one in a line", headers);
    if (!name)
      return [
        field(`${words.address} (any server that speaks the provider's protocol)`, address),
        field("Key", key),
        more,
      ];
    return el(
      "fieldset.way",
      {},
      el("legend.s", {}, name),
      field(words.address, address),
      field("Key", key),
      more,
    );
  }

  const values = (what) =>
    Object.fromEntries(
      names.map((name) => [name, rows.get(name)[what].value.trim()]).filter(([, value]) => value),
    );

  /** @returns {{base_url?: string, base_urls?: object, headers: object}} */
  function addresses() {
    const found = values("address");
    return {
      ...(names[0] === "" ? { base_url: found[""] ?? "" } : { base_urls: found }),
      headers: values("headers"),
    };
  }

  function restore(run) {
    for (const name of names) {
      rows.get(name).address.value ||= (name === "" ? run.base_url : run.base_urls?.[name]) || "";
      rows.get(name).headers.value ||= run.headers?.[name] || "";
    }
  }

  follow([]);
  return {
    node,
    follow,
    addresses,
    keys: () => ({ keys: values("key") }),
    /** What keys were typed for; they themselves stay here until the start. */
    keyed: () => Object.keys(values("key")),
    /** Empty what was sent and is kept nowhere; `kept` are the headers that were no secret. */
    forget: (kept = {}) =>
      rows.forEach((row, name) => {
        row.key.value = "";
        row.headers.value = kept[name] ?? "";
      }),
    fill: restore,
    isKey: (input) => [...rows.values()].some((row) => row.key === input),
  };
}

/** Whether several judges make one verdict; only there with two judges or more. */
export function panelField() {
  const choice = el(
    "select.txt",
    {},
    [
      ["", "each for itself, as set before"],
      ["median", "as a panel: their median"],
      ["majority", "as a panel: what most say"],
      ["none", "each for itself, no panel any more"],
    ].map(([value, words]) => el("option", { value }, words)),
  );
  const node = el("div", { hidden: true }, field("The judges speak", choice));
  return {
    node,
    follow: (judges) => (node.hidden = judges.length < 2),
    value: () => (node.hidden ? "" : choice.value),
    fill: (value) => (choice.value ||= value || ""),
  };
}
