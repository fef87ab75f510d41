import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pageHeaders, sendFailure } from './respond.ts';

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

/** The page and its parts, as they were built. */
export class PageFiles {
  readonly #folder: string;
  readonly #read = new Map<string, Promise<{ plain: Buffer; zipped: Buffer }>>();

  constructor(folder: string = builtPage()) {
    this.#folder = folder;
  }

  /** Reads what every page begins with, before it is asked for. */
  warmUp(): void {
    for (const file of ['index.html', 'main.js', 'main.css']) this.#load(file).catch(() => {});
  }

  /** Answers with a file of the page; 404 where there is none of that name. */
  async send(
    response: ServerResponse,
    name: string,
    { gzipped, sandbox }: { gzipped: boolean; sandbox?: string | undefined },
  ): Promise<void> {
    const file = name === '' ? 'index.html' : name;
    const type = types[extname(file)];
    if (type === undefined || !plainName.test(file)) return sendFailure(response, 404, 'There is no such page');
    const found = await this.#load(file).catch(() => undefined);
    if (found === undefined) return this.#missing(response, file);

    const nonce = randomBytes(16).toString('base64');
    const headers = {
      ...pageHeaders(nonce, sandbox),
      'Content-Type': type,
      // Chunks are named after what is in them; the others are small, and are looked at again.
      'Cache-Control': file.startsWith('chunks/') ? 'max-age=31536000, immutable' : 'no-store',
    };
    if (file === 'index.html') {
      response.writeHead(200, headers);
      response.end(
        found.plain
          .toString('utf8')
          .replaceAll('__NONCE__', nonce)
          .replace('__SANDBOX__', sandbox ?? ''),
      );
    } else {
      response.writeHead(200, { ...headers, Vary: 'Accept-Encoding', ...(gzipped && { 'Content-Encoding': 'gzip' }) });
      response.end(gzipped ? found.zipped : found.plain);
    }
  }

  #missing(response: ServerResponse, file: string): void {
    const advice = file === 'index.html' ? 'The page was not built: run "npm run build".' : undefined;
    sendFailure(response, 404, 'There is no such page', advice);
  }

  #load(file: string): Promise<{ plain: Buffer; zipped: Buffer }> {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const loading = readFile(join(this.#folder, file)).then(async (plain) => ({
      plain,
      zipped: await promisify(gzip)(plain),
    }));
    this.#read.set(file, loading);
    loading.catch(() => this.#read.delete(file));
    return loading;
  }
}

/** Where the page was built to: beside the built package, above the chunks of a command, or in `dist` for the sources. */
function builtPage(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = ['page', '../page', '../../../dist/page'].map((place) => join(here, place));
  return folders.find((folder) => existsSync(join(folder, 'main.js'))) ?? join(here, 'page');
}
