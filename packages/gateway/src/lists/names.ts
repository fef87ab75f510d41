import { nameMatcher } from '@ccmcp/core/groups';

/** Options for the shown names of an upstream. */
export interface NameOptions {
  /** The prefix of tool and prompt names. Default: the name of the upstream and `_`. */
  prefix?: string;
  /** Shows only these tools and prompts, by upstream name; `*` matches any text. Default: all. */
  allow?: readonly string[];
  /** Hides these. Default: none. */
  deny?: readonly string[];
  /** Public names by upstream name. They get no prefix. */
  rename?: Readonly<Record<string, string>>;
}

/** The longest name that model providers accept. */
const maxLength = 64;
const accepted = /^[A-Za-z0-9_.-]+$/;
const digestLength = 8;

/** Maps upstream names to names that clients accept. A name depends on nothing but itself, so it never changes. */
export class Names {
  readonly #prefix: string;
  readonly #rename: Readonly<Record<string, string>>;
  readonly #isShown: (name: string) => boolean;

  constructor(upstream: string, { prefix = `${upstream}_`, allow, deny = [], rename = {} }: NameOptions) {
    this.#prefix = prefix;
    this.#rename = rename;
    const allowed = allow?.map(nameMatcher);
    const denied = deny.map(nameMatcher);
    this.#isShown = (name) =>
      (allowed === undefined || allowed.some((matches) => matches(name))) && !denied.some((matches) => matches(name));
  }

  /** The public name; undefined: hidden. */
  toPublic(name: string): string | undefined {
    if (!this.#isShown(name)) return undefined;
    return acceptable(Object.hasOwn(this.#rename, name) ? (this.#rename[name] as string) : this.#prefix + name);
  }

  /** True for a public name with the prefix of this upstream, whether it has such a tool or not. */
  isMarked(name: string): boolean {
    return this.#prefix !== '' && name.startsWith(toAccepted(this.#prefix));
  }
}

/** Replaces characters that clients don't accept. A digest distinguishes names that would become the same. */
function acceptable(name: string): string {
  if (name.length <= maxLength && accepted.test(name)) return name;
  return `${toAccepted(name).slice(0, maxLength - digestLength - 1)}_${digest(name)}`;
}

function toAccepted(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]+/g, '_');
}

/** FNV-1a: names are no secrets, and no synchronous hash is available everywhere. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let each = 0; each < text.length; each++) hash = Math.imul(hash ^ text.charCodeAt(each), 0x01000193);
  return (hash >>> 0).toString(16).padStart(digestLength, '0');
}
