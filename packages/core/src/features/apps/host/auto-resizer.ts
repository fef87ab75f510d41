/** The maximum consecutive growth steps without a pause of a second. */
const sizeSteps = 30;

/** The oscillations between growing and shrinking after which the larger size stays. */
const sizeTurns = 4;

/** The minimum pause between two resizes. */
const sizeMs = 50;

/** The maximum width and height, in pixels. */
const maxSide = 10_000;

/** The size a view asks for, in pixels. */
export interface ViewSize {
  width?: number;
  height?: number;
}

/** The space for a view: `containerDimensions` of its context. */
interface ContainerSize {
  width?: number;
  maxWidth?: number;
  height?: number;
  maxHeight?: number;
}

/** Options of the resizer. */
export interface AutoResizerOptions {
  /** Resizes the frame. */
  apply(size: ViewSize): void;
  /** Called each time that requests of a view start to be ignored, with the reason. */
  onIgnored?(reason: string): void;
  /** The space for the view. A fixed side is not resized. */
  containerSize?(): ContainerSize;
}

type Side = 'width' | 'height';

const pauseMs = 1000;

/** Resizes a frame to what its view asks for: clamped, throttled, and without oscillation or endless growth. */
export class AutoResizer {
  readonly #options: AutoResizerOptions;
  readonly #trackers: Record<Side, SideTracker>;
  #wanted: ViewSize = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastApplied = Number.NEGATIVE_INFINITY;

  constructor(options: AutoResizerOptions) {
    this.#options = options;
    this.#trackers = { width: new SideTracker(), height: new SideTracker() };
  }

  /** Requests a size. Invalid values are ignored. */
  request(size: ViewSize): void {
    for (const side of ['width', 'height'] as const) {
      const pixels = size[side];
      if (pixels !== undefined && Number.isFinite(pixels)) this.#wanted[side] = Math.ceil(pixels);
    }
    if (this.#timer !== undefined) return;
    const wait = this.#lastApplied + sizeMs - performance.now();
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
    const place = this.#options.containerSize?.() ?? {};
    for (const side of ['width', 'height'] as const) {
      const pixels = clampSize(side, wanted[side], place);
      if (pixels === undefined) continue;
      const { followed, ignored } = this.#trackers[side].next(pixels, now);
      if (followed !== undefined) size[side] = followed;
      if (ignored !== undefined) this.#options.onIgnored?.(`The ${side} of the view ${ignored}`);
    }
    if (size.width !== undefined || size.height !== undefined) this.#options.apply(size);
  }
}

function clampSize(side: Side, wanted: number | undefined, place: ContainerSize): number | undefined {
  const [fixed, most] = side === 'width' ? [place.width, place.maxWidth] : [place.height, place.maxHeight];
  if (wanted === undefined || fixed !== undefined) return undefined;
  return Math.min(Math.max(wanted, 0), most ?? maxSide, maxSide);
}

/** Decides for one side of a frame which requests to follow. */
class SideTracker {
  #current: number | undefined;
  #direction = 0;
  #reversals = 0;
  #growths = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #isFrozen = false;

  next(pixels: number, now: number): { followed?: number; ignored?: string } {
    if (now - this.#requestedAt >= pauseMs) this.#reset();
    this.#requestedAt = now;
    const before = this.#current;
    if (before === undefined || pixels === before) {
      this.#current = pixels;
      return before === undefined ? { followed: pixels } : {};
    }
    const direction = Math.sign(pixels - before);
    if (direction !== this.#direction && this.#direction !== 0) this.#reversals += 1;
    this.#growths = direction === 1 ? this.#growths + 1 : 0;
    this.#direction = direction;
    if (this.#isFrozen) return {};
    if (this.#reversals >= sizeTurns) return this.#freeze(Math.max(pixels, before), 'goes to and fro');
    if (this.#growths > sizeSteps) return this.#freeze(before, 'grows with its frame, perhaps by 100vh');
    this.#current = pixels;
    return { followed: pixels };
  }

  #freeze(pixels: number, ignored: string): { followed?: number; ignored: string } {
    const isNew = pixels !== this.#current;
    this.#isFrozen = true;
    this.#current = pixels;
    return isNew ? { followed: pixels, ignored } : { ignored };
  }

  #reset(): void {
    this.#isFrozen = false;
    this.#reversals = 0;
    this.#growths = 0;
    this.#direction = 0;
  }
}
