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

/** Names of files of the page: none leads out of its folder, whatever is asked for. */
const plainName = /^(?:chunks\/)?[\w-]+(?:\.[\w-]+)*$/;

/** A file of the page, as it is sent. */
interface PageFile {
  readonly plain: Buffer;
  /** The same, compressed, where it was built so. */
  readonly zipped: Buffer | undefined;
  /** What of it the policy has to let in. */
  readonly inside: InlineHashes;
}

const document = 'index.html';

/** The page and its parts, as they were built. */
export class PageFiles {
  readonly #folder: string;
  readonly #read = new Map<string, Promise<PageFile>>();

  constructor(folder: string = findPageFolder()) {
    this.#folder = folder;
  }

  /** Reads what every page begins with, before it is asked for. */
  preload(): void {
    this.#load(document).catch(() => {});
  }

  /** Answers with a file of the page; 404 where there is none of that name. */
  async send(
    response: ServerResponse,
    name: string,
    { gzipped, sandbox }: { gzipped: boolean; sandbox?: string | undefined },
  ): Promise<void> {
    const file = name === '' ? document : name;
    const type = types[extname(file)];
    if (type === undefined || !plainName.test(file)) return sendFailure(response, 404, 'There is no such page');
    const found = await this.#load(file).catch(() => undefined);
    if (found === undefined) return this.#missing(response, file);
    const zipped = gzipped ? found.zipped : undefined;
    response.writeHead(200, {
      ...pageHeaders(found.inside, sandbox),
      'Content-Type': type,
      // Chunks are named after what is in them; the others are small, and are looked at again.
      'Cache-Control': file.startsWith('chunks/') ? 'max-age=31536000, immutable' : 'no-store',
      Vary: 'Accept-Encoding',
      ...(zipped !== undefined && { 'Content-Encoding': 'gzip' }),
    });
    response.end(zipped ?? found.plain);
  }

  #missing(response: ServerResponse, file: string): void {
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

/** The script and the styles that stand in a document, as a policy names them: by what they are. */
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

/** Where the page was built to: beside the built package, above the chunks of a command, or in `dist` for the sources. */
function findPageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = ['page', '../page', '../../../dist/page'].map((place) => join(here, place));
  return folders.find((folder) => existsSync(join(folder, document))) ?? join(here, 'page');
}
