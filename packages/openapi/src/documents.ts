import { DocumentError, quote } from './document-error.ts';
import { isObject, type JsonObject, memberOf } from './json.ts';

/** A value of a document, and the URI of the document that its references are relative to. */
export interface Located<T = unknown> {
  readonly value: T;
  readonly document: string;
}

/** The base of references in a document whose own address is unknown. */
const unknownAddress = 'openapi:/';

/** The maximum references that lead from one to the next. */
const maxHops = 32;

/** A document, and others that it refers to. */
export class Documents {
  readonly #values = new Map<string, unknown>();
  readonly root: Located<JsonObject>;
  /** The address of the document, if it has one. */
  readonly address: string | undefined;

  constructor(value: JsonObject, address: string | undefined) {
    this.address = address;
    const document = withoutFragment(address ?? unknownAddress);
    this.root = { value, document };
    this.add(document, value);
  }

  /** Adds a document that another one refers to. */
  add(document: string, value: unknown): void {
    this.#values.set(document, value);
  }

  has(document: string): boolean {
    return this.#values.has(document);
  }

  /** The value that a reference leads to, itself no reference. Throws a `DocumentError` if there is none. */
  resolve(located: Located): Located {
    return this.#follow(located, { hops: maxHops });
  }

  /** The object that a value or a reference stands for; undefined if it is something else. */
  object(located: Located): Located<JsonObject> | undefined {
    const { value, document } = this.resolve(located);
    return isObject(value) ? { value, document } : undefined;
  }

  #follow(located: Located, left: { hops: number }): Located {
    let found = located;
    for (;;) {
      const ref = isObject(found.value) ? memberOf(found.value, '$ref') : undefined;
      if (typeof ref !== 'string') return found;
      left.hops -= 1;
      if (left.hops < 0) throw new DocumentError(`$ref ${quote(ref)} leads back to itself`);
      found = this.#target(ref, found.document, left);
    }
  }

  #target(ref: string, base: string, left: { hops: number }): Located {
    const { document, fragment } = splitReference(ref, base);
    if (!this.#values.has(document)) {
      throw new DocumentError(
        `$ref leads to another document, ${quote(ref)}, that is not read: allow it with the option "references"`,
      );
    }
    let found: Located = { value: this.#values.get(document), document };
    if (fragment === '') return found;
    if (!fragment.startsWith('/'))
      throw new DocumentError(`$ref leads to an anchor, ${quote(ref)}: use a JSON pointer`);
    for (const segment of fragment.slice(1).split('/')) {
      // A part of the way may be a reference itself.
      found = this.#follow(found, left);
      const value = memberOf(found.value, decodeSegment(segment));
      if (value === undefined) throw new DocumentError(`$ref leads to ${quote(ref)}, which is not there`);
      found = { value, document: found.document };
    }
    return found;
  }
}

/** The address of the document that a reference leads to, and the rest. Throws a `DocumentError` if it is none. */
export function splitReference(ref: string, base: string): { document: string; fragment: string } {
  const at = ref.indexOf('#');
  const address = at === -1 ? ref : ref.slice(0, at);
  const fragment = at === -1 ? '' : ref.slice(at + 1);
  if (address === '') return { document: base, fragment };
  if (!URL.canParse(address, base)) throw new DocumentError(`$ref ${quote(ref)} is no address`);
  return { document: new URL(address, base).href, fragment };
}

function withoutFragment(address: string): string {
  return address.split('#', 1)[0] as string;
}

function decodeSegment(segment: string): string {
  return decode(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The JSON pointer of a place in a document, as in errors. */
export function pointer(...segments: readonly string[]): string {
  return `#/${segments.map((segment) => segment.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
