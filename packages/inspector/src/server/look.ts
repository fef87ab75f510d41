import type { KeptLook, Look } from '../shared/look.ts';

type Check = (value: unknown) => boolean;

const isLength: Check = (value) => typeof value === 'number' && value >= 0 && value <= 100_000;
const isOneOf = (...texts: readonly string[]): Check => texts.includes.bind(texts) as Check;

const checks: Readonly<Record<keyof Look, Check>> = {
  theme: isOneOf('system', 'light', 'dark'),
  servers: isLength,
  list: isLength,
  timeline: isLength,
  timelineIs: isOneOf('closed', 'strip', 'full'),
  timelineBy: isOneOf('order', 'calls'),
};

/** Current settings of the page, for pages opened later. */
export class LookStore {
  readonly #kept: KeptLook;
  #now: Look;

  constructor(kept: KeptLook) {
    this.#kept = kept;
    this.#now = validateLook(kept.last);
  }

  get now(): Look {
    return this.#now;
  }

  /** Stores valid settings. */
  async set(look: unknown): Promise<void> {
    this.#now = validateLook(look);
    await this.#kept.keep(this.#now);
  }
}

function validateLook(look: unknown): Look {
  const known = Object.entries(Object(look) as object).filter(
    ([name, value]) => Object.hasOwn(checks, name) && checks[name as keyof Look](value),
  );
  return Object.fromEntries(known);
}
