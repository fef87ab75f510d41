import { DocumentError, quote } from './document-error.ts';
import { Documents, splitReference } from './documents.ts';
import { isObject, type JsonObject, memberOf } from './json.ts';
import { parseDocument } from './parse-document.ts';
import { createSender, failureOf, readBytes, type Send } from './sender.ts';

/** How documents are read. */
export interface LoadOptions {
  readonly references: readonly (string | URL)[];
  readonly privateAddresses: boolean | undefined;
  readonly fetch: typeof fetch | undefined;
  readonly maxDocument: number;
  readonly timeoutMs: number;
}

/** The maximum documents that references lead to. */
const maxDocuments = 10_000;

/**
 * Reads a document, from an object, a text or a URL, and the documents that it refers to as far as that is allowed. Throws a
 * `DocumentError` if it can't be read; references that lead nowhere are found when they are used.
 */
export async function loadDocuments(source: JsonObject | string | URL, options: LoadOptions): Promise<Documents> {
  const address = source instanceof URL ? source.href : undefined;
  const allowed = options.references.map((each) => referencePrefix(each));
  const trusted = new Set([address, ...allowed].flatMap((each) => (each === undefined ? [] : new URL(each).hostname)));
  const read = reader({ ...options, send: createSender({ ...options, trusted }) });
  const documents = new Documents(assertVersion(await readSource(source, read, options)), address);
  if (allowed.length === 0) return documents;

  const isAllowed = (url: string): boolean =>
    allowed.some((prefix) => (prefix.endsWith('/') ? url.startsWith(prefix) : url === prefix));
  const waiting = outerReferences(documents.root.value, documents.root.document);
  let count = 0;
  for (const next of waiting) {
    if (documents.has(next) || !isAllowed(next)) continue;
    count += 1;
    if (count > maxDocuments) throw new DocumentError(`references lead to more than ${maxDocuments} documents`);
    const value = await read(new URL(next));
    documents.add(next, value);
    // A set is walked to its end, also as far as it grows meanwhile.
    for (const found of outerReferences(value, next)) waiting.add(found);
  }
  return documents;
}

async function readSource(
  source: JsonObject | string | URL,
  read: (url: URL) => Promise<JsonObject>,
  { maxDocument }: LoadOptions,
): Promise<JsonObject> {
  if (source instanceof URL) return read(source);
  if (typeof source !== 'string') {
    if (isObject(source)) return source;
    throw new TypeError('openApi needs a document: an object, its text as JSON or YAML, or its URL as new URL(…)');
  }
  if (/^(?:https?|file):\/\/\S*$/.test(source)) {
    throw new TypeError('openApi takes a text for the document itself: write new URL(…) to have one read');
  }
  if (source.length > maxDocument) throw tooLong('The document', maxDocument);
  return parseDocument(source, 'The document');
}

/** Reads documents that are together no longer than `maxDocument`. */
function reader({ send, maxDocument, timeoutMs }: LoadOptions & { send: Send }) {
  let left = maxDocument;
  return async (url: URL): Promise<JsonObject> => {
    const name = quote(`${url.protocol === 'file:' ? '' : url.origin}${url.pathname}`);
    try {
      const bytes =
        url.protocol === 'file:'
          ? await readFile(url, left)
          : await fetchBytes(url, { send, maxDocument: left, timeoutMs });
      if (bytes === undefined) throw tooLong(name, maxDocument);
      left -= bytes.byteLength;
      return await parseDocument(new TextDecoder().decode(bytes), name);
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      throw new DocumentError(`${name} can not be read: ${failureOf(error)}`, { cause: error });
    }
  };
}

async function readFile(url: URL, maxDocument: number): Promise<Uint8Array | undefined> {
  const { open } = await import('node:fs/promises');
  const file = await open(url);
  try {
    const { size } = await file.stat();
    return size > maxDocument ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

async function fetchBytes(
  url: URL,
  { send, maxDocument, timeoutMs }: Pick<LoadOptions, 'maxDocument' | 'timeoutMs'> & { send: Send },
): Promise<Uint8Array | undefined> {
  const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' };
  const response = await send({ url, method: 'GET', headers, signal: AbortSignal.timeout(timeoutMs) });
  if (response.status !== 200) throw new Error(`the status is ${response.status}`);
  return readBytes(response, maxDocument);
}

function tooLong(name: string, maxDocument: number): DocumentError {
  return new DocumentError(
    `${name} is longer than ${maxDocument} bytes, with those that it refers to: raise "maxDocument", or leave parts of it out`,
  );
}

function assertVersion(document: JsonObject): JsonObject {
  const { openapi, swagger } = document;
  if (typeof openapi === 'string' && /^3\.[012](\.|$)/.test(openapi)) return document;
  if (swagger !== undefined) {
    throw new DocumentError('the document is Swagger 2.0: convert it to OpenAPI 3, for example with swagger2openapi');
  }
  throw new DocumentError(
    `"openapi" of the document is ${quote(String(openapi))}: OpenAPI 3.0, 3.1 and 3.2 can be served`,
  );
}

function referencePrefix(allowed: string | URL): string {
  if (URL.canParse(String(allowed))) return new URL(String(allowed)).href;
  throw new TypeError(`"references" has ${quote(String(allowed))}, which is no URL: write file:///… or https://…`);
}

/** The addresses of other documents that references in a value lead to. */
function outerReferences(value: unknown, document: string): Set<string> {
  const found = new Set<string>();
  const seen = new Set<object>();
  // No recursion: values may be nested deeply, and contain themselves.
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const ref = memberOf(next, '$ref');
    if (typeof ref === 'string' && !ref.startsWith('#')) addOuter(found, ref, document);
    for (const part of Object.values(next)) if (typeof part === 'object') waiting.push(part);
  }
  return found;
}

function addOuter(found: Set<string>, ref: string, document: string): void {
  try {
    found.add(splitReference(ref, document).document);
  } catch {
    // Reported where it is used.
  }
}
