import type { PageSettingsStore, PageSettings } from '../shared/page-settings.ts';

type Check = (value: unknown) => boolean;

const isLength: Check = (value) => typeof value === 'number' && value >= 0 && value <= 100_000;
const isOneOf = (...texts: readonly string[]): Check => texts.includes.bind(texts) as Check;

const checks: Readonly<Record<keyof PageSettings, Check>> = {
  theme: isOneOf('system', 'light', 'dark'),
  servers: isLength,
  list: isLength,
  timeline: isLength,
  timelineIs: isOneOf('closed', 'strip', 'full'),
  timelineBy: isOneOf('order', 'calls'),
};

/** Current settings of the page, for pages opened later. */
export class PageSettingsCache {
  readonly #store: PageSettingsStore;
  #now: PageSettings;

  constructor(store: PageSettingsStore) {
    this.#store = store;
    this.#now = validatePageSettings(store.saved);
  }

  get now(): PageSettings {
    return this.#now;
  }

  /** Stores valid settings. */
  async set(settings: unknown): Promise<void> {
    this.#now = validatePageSettings(settings);
    await this.#store.save(this.#now);
  }
}

function validatePageSettings(settings: unknown): PageSettings {
  const known = Object.entries(Object(settings) as object).filter(
    ([name, value]) => Object.hasOwn(checks, name) && checks[name as keyof PageSettings](value),
  );
  return Object.fromEntries(known);
}
