import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InlineHashes, pageHeaders, sendFailure } from './respond.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** File names of the page; excludes path traversal. */
const plainName = /^(?:chunks\/)?[\w-]+(?:\.[\w-]+)*$/;

/** A loaded file of the page. */
interface PageFile {
  readonly plain: Buffer;
  /** The same with gzip, if it was built. */
  readonly zipped: Buffer | undefined;
  /** Hashes of its inline script and style, for the CSP. */
  readonly inside: InlineHashes;
}

const document = 'index.html';

/** Serves the built files of the page, from memory once loaded. */
export class PageFiles {
  readonly #folder: string;
  readonly #read = new Map<string, Promise<PageFile>>();

  constructor(folder: string = findPageFolder()) {
    this.#folder = folder;
  }

  /** Loads the document before the first request. */
  preload(): void {
    this.#load(document).catch(() => {});
  }

  /** Sends a file of the page, or 404. */
  async send(
    response: ServerResponse,
    name: string,
    { gzipped, sandbox }: { gzipped: boolean; sandbox?: string | undefined },
  ): Promise<void> {
    const file = name === '' ? document : name;
    const type = types[extname(file)];
    if (type === undefined || !plainName.test(file)) return sendFailure(response, 404, 'There is no such page');
    const found = await this.#load(file).catch(() => undefined);
    if (found === undefined) return this.#sendNotFound(response, file);
    const zipped = gzipped ? found.zipped : undefined;
    response.writeHead(200, {
      ...pageHeaders(found.inside, sandbox),
      'Content-Type': type,
      // Chunk names contain a content hash; other files are small, and fetched each time.
      'Cache-Control': file.startsWith('chunks/') ? 'max-age=31536000, immutable' : 'no-store',
      Vary: 'Accept-Encoding',
      ...(zipped !== undefined && { 'Content-Encoding': 'gzip' }),
    });
    response.end(zipped ?? found.plain);
  }

  #sendNotFound(response: ServerResponse, file: string): void {
    const advice = file === document ? 'The page was not built: run "npm run build".' : undefined;
    sendFailure(response, 404, 'There is no such page', advice);
  }

  #load(file: string): Promise<PageFile> {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const path = join(this.#folder, file);
    const loading = Promise.all([readFile(path), readFile(`${path}.gz`).catch(() => undefined)]).then(
      ([plain, zipped]) => ({
        plain,
        zipped,
        inside: file === document ? inlineHashes(plain.toString('utf8')) : {},
      }),
    );
    this.#read.set(file, loading);
    loading.catch(() => this.#read.delete(file));
    return loading;
  }
}

/** CSP hashes of the inline script and style of a document. */
function inlineHashes(text: string): InlineHashes {
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(text) ?? [];
  const [, style] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
  return {
    ...(script !== undefined && { script: cspHash(script) }),
    ...(style !== undefined && { style: cspHash(style) }),
  };
}

function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Finds the built page: beside the built package, above the chunks of the CLI bundle, or in `dist` when run from source. */
function findPageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = ['page', '../page', '../../../dist/page'].map((place) => join(here, place));
  return folders.find((folder) => existsSync(join(folder, document))) ?? join(here, 'page');
}
