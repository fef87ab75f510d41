import { toHex } from '../../runtime/base64.ts';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import type { ToolEntry } from './tool-entry.ts';
import { writeRows } from '../lists/list-cache.ts';

/** A log with a minimum level. */
interface DigestLog {
  wants(level: 'debug' | 'notice'): boolean;
  write(level: 'debug' | 'notice', message: string): void;
}

/** The client-visible definition of each tool, by name. */
type Listings = ReadonlyMap<string, object | undefined>;

/** Maximum number of tools in one log line. */
const NAMED = 10;

/**
 * Detects changes of the tools that clients have seen, for the operator's log: a model acts on descriptions and
 * schemas. Computed only once tools are listed and the log level shows it.
 */
export class ToolDigest {
  readonly #log: DigestLog;
  #shown: readonly ToolEntry[] | undefined;
  #changing = false;
  #work: Promise<void> = Promise.resolve();

  constructor(log: DigestLog) {
    this.#log = log;
  }

  /** Called when tools are listed. */
  onListed(tools: readonly ToolEntry[]): void {
    if (this.#shown !== undefined || !this.#log.wants('notice')) return;
    this.#shown = tools;
    if (this.#log.wants('debug')) this.#do(async () => this.#first(await listingsOf(tools)));
  }

  /** The tools changed; changes of one tick are logged together. */
  changed(tools: () => readonly ToolEntry[]): void {
    if (this.#shown === undefined || this.#changing) return;
    this.#changing = true;
    queueMicrotask(() => {
      this.#changing = false;
      const former = this.#shown as readonly ToolEntry[];
      const latest = tools();
      this.#shown = latest;
      this.#do(async () => this.#compare(await listingsOf(former), await listingsOf(latest)));
    });
  }

  #do(work: () => Promise<void>): void {
    // A logger that throws must not end the process.
    this.#work = this.#work.then(work).catch(() => {});
  }

  async #first(shown: Listings): Promise<void> {
    this.#log.write('debug', `Tools: ${shown.size}, digest ${await digestOf(shown)}`);
  }

  async #compare(former: Listings, latest: Listings): Promise<void> {
    const what = differences(former, latest);
    if (what === '') return;
    const [before, after] = [await digestOf(former), await digestOf(latest)];
    this.#log.write('notice', `The tools have changed: ${what}. Digest ${before}, now ${after}`);
  }
}

async function listingsOf(tools: readonly ToolEntry[]): Promise<Listings> {
  await writeRows(tools, () => false);
  const listings = new Map<string, object | undefined>();
  for (const entry of tools) {
    try {
      listings.set(entry.key, entry.listing);
    } catch {
      // A tool that can't be listed is reported by the list request.
      listings.set(entry.key, undefined);
    }
  }
  return listings;
}

/** A digest that does not depend on the order of the tools. */
async function digestOf(listings: Listings): Promise<string> {
  const text = JSON.stringify([...listings].sort(([one], [other]) => (one < other ? -1 : 1)));
  return toHex(await sha256ByWebCrypto(text));
}

function differences(former: Listings, latest: Listings): string {
  const parts = [
    ['added', [...latest.keys()].filter((name) => !former.has(name))],
    ['removed', [...former.keys()].filter((name) => !latest.has(name))],
    ['changed', [...latest.keys()].filter((name) => former.has(name) && differs(former.get(name), latest.get(name)))],
  ] as const;
  return parts.flatMap(([what, names]) => (names.length === 0 ? [] : `${what} ${formatNames(names)}`)).join('; ');
}

function differs(one: object | undefined, other: object | undefined): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}

function formatNames(names: readonly string[]): string {
  const some = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${some} and ${names.length - NAMED} more` : some;
}
