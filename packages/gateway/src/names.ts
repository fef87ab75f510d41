/** Which names of an upstream are shown, and as what. */
export interface NameOptions {
  /** Put before the names of tools and prompts. Default: the name of the upstream and `_`. */
  prefix?: string;
  /** Only these tools and prompts are shown, by their names upstream; `*` stands for any text. Default: all. */
  allow?: readonly string[];
  /** These are not shown. Default: none. */
  deny?: readonly string[];
  /** Names to show instead, by the name upstream. They get no prefix. */
  rename?: Readonly<Record<string, string>>;
}

/** The longest name that model providers accept. */
const maxLength = 64;
const accepted = /^[A-Za-z0-9_.-]+$/;
const digestLength = 8;

/** Maps names of an upstream to names that clients accept. A name depends on nothing but itself, so it never changes. */
export class Names {
  readonly #prefix: string;
  readonly #rename: Readonly<Record<string, string>>;
  readonly #isShown: (name: string) => boolean;

  constructor(upstream: string, { prefix = `${upstream}_`, allow, deny = [], rename = {} }: NameOptions) {
    this.#prefix = prefix;
    this.#rename = rename;
    const allowed = allow?.map(toPattern);
    const denied = deny.map(toPattern);
    this.#isShown = (name) =>
      (allowed === undefined || allowed.some((pattern) => pattern.test(name))) &&
      !denied.some((pattern) => pattern.test(name));
  }

  /** The name to show; undefined: it is not shown. */
  toPublic(name: string): string | undefined {
    if (!this.#isShown(name)) return undefined;
    return acceptable(Object.hasOwn(this.#rename, name) ? (this.#rename[name] as string) : this.#prefix + name);
  }
}

/** The name with what clients don't accept replaced. A digest keeps names apart that would become the same. */
function acceptable(name: string): string {
  if (name.length <= maxLength && accepted.test(name)) return name;
  const plain = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, maxLength - digestLength - 1);
  return `${plain}_${digest(name)}`;
}

/** FNV-1a: names are no secrets, and this runs where there is no synchronous hash. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let each = 0; each < text.length; each++) hash = Math.imul(hash ^ text.charCodeAt(each), 0x01000193);
  return (hash >>> 0).toString(16).padStart(digestLength, '0');
}

/** A pattern in which `*` stands for any text. */
export function toPattern(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
