import { pageLimits as limits } from '../../../page-limits.ts';
import type { FocusableElement, FrameElement, PageInput, PageWindow } from './dom.ts';

const calmMs = 10_000;

/**
 * Restores the focus that a view takes from a person who types or has just clicked in the page: their keystrokes would
 * go to the view. Otherwise focus may move into a view, since people and assistive technology move it too.
 */
export class FocusGuard {
  readonly #window: PageWindow;
  readonly #frame: FrameElement;
  readonly #tooOften: () => void;
  /** The element that had the focus. */
  #place: FocusableElement | undefined;
  #lastUsed = Number.NEGATIVE_INFINITY;
  #lastTaken = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(window: PageWindow, frame: FrameElement, tooOften: () => void) {
    this.#window = window;
    this.#frame = frame;
    this.#tooOften = tooOften;
    window.addEventListener('focusin', this.#focused, true);
    window.addEventListener('keydown', this.#used, true);
    window.addEventListener('pointerdown', this.#used, true);
    window.addEventListener('blur', this.#left);
  }

  stop(): void {
    this.#window.removeEventListener('focusin', this.#focused, true);
    this.#window.removeEventListener('keydown', this.#used, true);
    this.#window.removeEventListener('pointerdown', this.#used, true);
    this.#window.removeEventListener('blur', this.#left);
  }

  readonly #focused = ({ target }: PageInput): void => {
    if (target !== this.#frame) this.#place = target as FocusableElement;
  };

  readonly #used = ({ key, target }: PageInput): void => {
    // Tab leads into the view, and a click on its edge may.
    const isWayIn = key === 'Tab' || target === this.#frame;
    this.#lastUsed = isWayIn ? Number.NEGATIVE_INFINITY : performance.now();
  };

  readonly #left = (): void => {
    const now = performance.now();
    if (now - this.#lastUsed >= limits.appHost.focusMs.value) return;
    // The focused element is known after the event.
    setTimeout(() => this.#giveBack(now), 0);
  };

  #giveBack(now: number): void {
    if (this.#window.document.activeElement !== this.#frame) return;
    this.#frame.blur();
    this.#place?.focus();
    // A person who keeps typing still uses the page, even if the view got some of it.
    this.#lastUsed = performance.now();
    this.#taken = now - this.#lastTaken < calmMs ? this.#taken + 1 : 1;
    this.#lastTaken = now;
    if (this.#taken >= limits.appHost.focusTaken.value) this.#tooOften();
  }
}
