// What the browser keeps: a safe face of localStorage, drafts of screens, the last saves, choices of the
// person.

const ROOT = "cograde.";
const DRAFT_DAYS = 30;
const KEPT_SAVES = 12;

/**
 * localStorage behind get/set/remove/keys with JSON values; in a page that may not store, this tab's memory.
 */
export function openStore() {
  let area = null;
  const memory = new Map();
  try {
    area = window.localStorage;
    area.setItem(`${ROOT}probe`, "1");
    area.removeItem(`${ROOT}probe`);
  } catch {
    area = null;
  }
  const raw = {
    get: (key) => (area ? area.getItem(key) : memory.get(key)) ?? null,
    keys: () => (area ? Object.keys(area) : [...memory.keys()]),
  };
  return {
    lasting: Boolean(area),
    get(key) {
      try {
        return JSON.parse(raw.get(ROOT + key) ?? memory.get(ROOT + key) ?? "null");
      } catch {
        return null;
      }
    },
    /** True when it will survive a reload; a full storage keeps the value in memory. */
    set(key, value) {
      const text = JSON.stringify(value);
      try {
        if (area) {
          area.setItem(ROOT + key, text);
          memory.delete(ROOT + key);
          return true;
        }
      } catch {
        // The quota is used up: memory is better than nothing, and the outbox still sends it.
      }
      memory.set(ROOT + key, text);
      return false;
    },
    remove(key) {
      memory.delete(ROOT + key);
      if (area) area.removeItem(ROOT + key);
    },
    /** Keys that begin with `prefix`, sorted, without the common root. */
    keys(prefix) {
      const all = new Set([...raw.keys(), ...memory.keys()]);
      return [...all]
        .filter((key) => key.startsWith(ROOT + prefix))
        .map((key) => key.slice(ROOT.length))
        .sort();
    },
  };
}

/** A random id, also on pages without https, where crypto.randomUUID is missing. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * What one person keeps for one project: drafts by screen, the last saves (for undo), and where the person
 * was.
 */
export function openDrafts(store, person, project, now = Date.now) {
  const scope = `${person}.${project}.`;
  const draftKey = (screen) => `draft.${scope}${screen}`;
  const savesKey = `saves.${scope}`;
  for (const key of store.keys(`draft.${scope}`)) {
    const draft = store.get(key);
    if (!draft || now() - draft.at > DRAFT_DAYS * 86_400_000) store.remove(key);
  }
  return {
    read: (screen) => store.get(draftKey(screen)),
    write: (screen, draft) => store.set(draftKey(screen), { ...draft, at: now() }),
    drop: (screen) => store.remove(draftKey(screen)),
    saves: () => store.get(savesKey) ?? [],
    pushSave: (save) => store.set(savesKey, [...(store.get(savesKey) ?? []), save].slice(-KEPT_SAVES)),
    popSave() {
      const saves = store.get(savesKey) ?? [];
      const last = saves.pop() ?? null;
      store.set(savesKey, saves);
      return last;
    },
    dropSave: (id) =>
      store.set(
        savesKey,
        (store.get(savesKey) ?? []).filter((save) => save.save_id !== id),
      ),
    place: () => store.get(`at.${scope}`),
    setPlace: (screen) => store.set(`at.${scope}`, screen),
  };
}
