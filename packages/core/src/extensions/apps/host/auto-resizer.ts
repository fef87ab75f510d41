import { pageLimits as limits } from '../../../page-limits.ts';

/** How large a view wants to be, in pixels. */
export interface ViewSize {
  width?: number;
  height?: number;
}

/** The place that there is for a view: `containerDimensions` of its context. */
interface Place {
  width?: number;
  maxWidth?: number;
  height?: number;
  maxHeight?: number;
}

/** How sizes are followed. */
export interface FollowedSizeOptions {
  /** Gives the frame a size. */
  apply(size: ViewSize): void;
  /** Called once for each time that a view's wishes are ignored, with the reason. */
  ignored?(reason: string): void;
  /** The place that there is: a side that is fixed is not followed. */
  place?(): Place;
}

type Side = 'width' | 'height';

const pauseMs = 1000;

/** Gives a frame the sizes that its view asks for: bounded, not too often, and neither to and fro nor for ever larger. */
export class FollowedSize {
  readonly #options: FollowedSizeOptions;
  readonly #sides: Record<Side, FollowedSide>;
  #wanted: ViewSize = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastApplied = Number.NEGATIVE_INFINITY;

  constructor(options: FollowedSizeOptions) {
    this.#options = options;
    this.#sides = { width: new FollowedSide(), height: new FollowedSide() };
  }

  /** Takes a wish. What is no size is left out. */
  take(size: ViewSize): void {
    for (const side of ['width', 'height'] as const) {
      const pixels = size[side];
      if (pixels !== undefined && Number.isFinite(pixels)) this.#wanted[side] = Math.ceil(pixels);
    }
    if (this.#timer !== undefined) return;
    const wait = this.#lastApplied + limits.appHost.sizeMs.value - performance.now();
    if (wait <= 0) this.#apply();
    else this.#timer = setTimeout(() => this.#apply(), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #apply(): void {
    this.#timer = undefined;
    const now = performance.now();
    this.#lastApplied = now;
    const wanted = this.#wanted;
    this.#wanted = {};
    const size: ViewSize = {};
    const place = this.#options.place?.() ?? {};
    for (const side of ['width', 'height'] as const) {
      const pixels = bounded(side, wanted[side], place);
      if (pixels === undefined) continue;
      const { followed, ignored } = this.#sides[side].next(pixels, now);
      if (followed !== undefined) size[side] = followed;
      if (ignored !== undefined) this.#options.ignored?.(`The ${side} of the view ${ignored}`);
    }
    if (size.width !== undefined || size.height !== undefined) this.#options.apply(size);
  }
}

function bounded(side: Side, wanted: number | undefined, place: Place): number | undefined {
  const [fixed, most] = side === 'width' ? [place.width, place.maxWidth] : [place.height, place.maxHeight];
  if (wanted === undefined || fixed !== undefined) return undefined;
  return Math.min(Math.max(wanted, 0), most ?? limits.appHost.side.value, limits.appHost.side.value);
}

/** One side of a frame over time: what to follow of what is wanted. */
class FollowedSide {
  #current: number | undefined;
  #direction = 0;
  #turns = 0;
  #steps = 0;
  #lastAsked = Number.NEGATIVE_INFINITY;
  #isHeld = false;

  next(pixels: number, now: number): { followed?: number; ignored?: string } {
    if (now - this.#lastAsked >= pauseMs) this.#calm();
    this.#lastAsked = now;
    const before = this.#current;
    if (before === undefined || pixels === before) {
      this.#current = pixels;
      return before === undefined ? { followed: pixels } : {};
    }
    const direction = Math.sign(pixels - before);
    if (direction !== this.#direction && this.#direction !== 0) this.#turns += 1;
    this.#steps = direction === 1 ? this.#steps + 1 : 0;
    this.#direction = direction;
    if (this.#isHeld) return {};
    if (this.#turns >= limits.appHost.sizeTurns.value) return this.#hold(Math.max(pixels, before), 'goes to and fro');
    if (this.#steps > limits.appHost.sizeSteps.value)
      return this.#hold(before, 'grows with its frame, perhaps by 100vh');
    this.#current = pixels;
    return { followed: pixels };
  }

  #hold(pixels: number, ignored: string): { followed?: number; ignored: string } {
    const isNew = pixels !== this.#current;
    this.#isHeld = true;
    this.#current = pixels;
    return isNew ? { followed: pixels, ignored } : { ignored };
  }

  #calm(): void {
    this.#isHeld = false;
    this.#turns = 0;
    this.#steps = 0;
    this.#direction = 0;
  }
}
