// What the browser keeps: a safe face of localStorage, drafts of screens, the last saves, choices of the
// person.
/** @import { Id } from "./data.js" */
/** @import { Place, Time, Work } from "./state.js" */

/**
 * What the browser keeps, as JSON.
 * @typedef {object} Store
 * @property {boolean} lasting whether it survives the tab
 * @property {<T>(key: string) => T | null} get whoever set it knows what it is; null where nothing is
 * @property {(key: string, value: unknown) => boolean} set
 * @property {(key: string) => void} remove
 * @property {(prefix: string) => string[]} keys
 */

/**
 * What is on a screen that was not sent yet; of a batch that was revealed its work alone.
 * @typedef {object} Draft
 * @property {Work} work
 * @property {Time} [time]
 * @property {Id[]} [read] answers that were on the screen to their end
 * @property {Place} [place]
 */

/**
 * One of the last saves, as undo needs it.
 * @typedef {object} Saved
 * @property {string} save_id
 * @property {Id} screen
 * @property {Work} work
 * @property {Work} before
 * @property {boolean} done
 * @property {string | null} skipped
 * @property {Id[]} read
 * @property {string} after the save that stood before it
 */

/**
 * @typedef {object} Drafts
 * @property {(screen: Id) => Draft | null} read
 * @property {(screen: Id, draft: Draft) => boolean} write
 * @property {(screen: Id) => void} drop
 * @property {() => Saved[]} saves
 * @property {(save: Saved) => boolean} pushSave
 * @property {() => Saved | null} popSave
 * @property {(id: string) => boolean} dropSave
 * @property {() => {screen: Id, question: string} | null} place
 * @property {(place: {screen: Id, question: string} | null) => boolean} setPlace
 */

const ROOT = "cograde.";
const DRAFT_DAYS = 30;
const KEPT_SAVES = 12;

/**
 * localStorage behind get/set/remove/keys with JSON values; in a page that may not store, this tab's memory.
 * @returns {Store}
 */
export function openStore() {
  /** @type {Storage | null} */
  let area = null;
  /** @type {Map<string, string>} */
  const memory = new Map();
  try {
    area = window.localStorage;
    area.setItem(`${ROOT}probe`, "1");
    area.removeItem(`${ROOT}probe`);
  } catch {
    area = null;
  }
  const raw = {
    /** @param {string} key */
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
 * @param {Store} store
 * @param {string} person
 * @param {string} project
 * @param {() => number} now
 * @returns {Drafts}
 */
export function openDrafts(store, person, project, now = Date.now) {
  const scope = `${person}.${project}.`;
  /** @type {(screen: Id) => string} */
  const draftKey = (screen) => `draft.${scope}${screen}`;
  const savesKey = `saves.${scope}`;
  /** @type {() => Saved[]} */
  const saves = () => store.get(savesKey) ?? [];
  for (const key of store.keys(`draft.${scope}`)) {
    /** @type {{at: number} | null} */
    const draft = store.get(key);
    if (!draft || now() - draft.at > DRAFT_DAYS * 86_400_000) store.remove(key);
  }
  return {
    read: (screen) => store.get(draftKey(screen)),
    write: (screen, draft) => store.set(draftKey(screen), { ...draft, at: now() }),
    drop: (screen) => store.remove(draftKey(screen)),
    saves,
    pushSave: (save) => store.set(savesKey, [...saves(), save].slice(-KEPT_SAVES)),
    popSave() {
      const kept = saves();
      const last = kept.pop() ?? null;
      store.set(savesKey, kept);
      return last;
    },
    dropSave(id) {
      const kept = saves().filter((save) => save.save_id !== id);
      return store.set(savesKey, kept);
    },
    place: () => store.get(`at.${scope}`),
    setPlace: (screen) => store.set(`at.${scope}`, screen),
  };
}
