// Seconds of work: they count only while the page is visible and there was input in the last minute.

const IDLE_MS = 60_000;

/**
 * Adds up milliseconds through `onTime(ms)`. `now` is a clock in milliseconds; `visible` says whether the
 * page is seen.
 */
export class Clock {
  /**
   * @param {(ms: number) => void} onTime
   * @param {() => number} now
   * @param {boolean} visible
   */
  constructor(onTime, now = () => performance.now(), visible = true) {
    this.onTime = onTime;
    this.now = now;
    this.visible = visible;
    this.lastInput = now();
    this.counted = now();
  }

  /** Book what has passed since the last call on whoever is in hand now. */
  tick() {
    const at = this.now();
    if (this.visible) {
      const until = Math.min(at, this.lastInput + IDLE_MS);
      if (until > this.counted) this.onTime(until - this.counted);
    }
    this.counted = at;
  }

  /** The person did something. */
  input() {
    this.tick();
    this.lastInput = this.now();
  }

  /**
   * The page was shown or hidden.
   * @param {boolean} visible
   */
  setVisible(visible) {
    this.tick();
    this.visible = visible;
  }

  /**
   * Follow the events of a document until `signal` aborts.
   * @param {Document} doc
   * @param {AbortSignal} [signal]
   */
  follow(doc, signal) {
    const options = { passive: true, capture: true, signal };
    for (const kind of ["keydown", "pointerdown", "wheel", "touchmove"])
      doc.addEventListener(kind, () => this.input(), options);
    let moved = 0;
    doc.addEventListener(
      "pointermove",
      () => {
        if (this.now() - moved > 1000) {
          moved = this.now();
          this.input();
        }
      },
      options,
    );
    doc.addEventListener("visibilitychange", () => this.setVisible(doc.visibilityState === "visible"), {
      signal,
    });
  }
}
