import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { limits } from '@ccmcp/core';
import { checkValue } from '@ccmcp/core/client';
import type { SavedRequest } from '../../shared/recordings.ts';
import type { EventLog } from '../log/event-log.ts';
import { Refusal } from '../targets.ts';
import type { OwnFolder } from './data-folder.ts';

const file = 'requests.json';
const most = limits.inspector.savedRequests.value;
const longest = limits.inspector.collection.value;

const text = { type: 'string' };
const fileSchema = {
  type: 'object',
  properties: {
    format: { const: 'ccmcp-requests' },
    requests: {
      type: 'array',
      maxItems: most,
      items: {
        type: 'object',
        properties: { id: text, name: text, target: text, method: text, params: { type: 'object' } },
        required: ['id', 'name', 'target', 'method', 'params'],
      },
    },
  },
  required: ['format', 'requests'],
};

/** The requests that were saved in the project, to be made again and to be shared with others. */
export class SavedRequests {
  readonly #log: EventLog;
  readonly #folder: OwnFolder;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(log: EventLog, folder: OwnFolder) {
    this.#log = log;
    this.#folder = folder;
  }

  /** Reads the file, and tells the page what is there. */
  async load(): Promise<void> {
    try {
      this.#tell(await this.#read());
    } catch (error) {
      this.#log.add('collection', { file: this.#folder.shown(file), requests: [], problem: (error as Error).message });
    }
  }

  /** Saves a request: in the place of another, where it has its id. */
  save(request: Omit<SavedRequest, 'id'> & { id?: string }): Promise<string> {
    return this.#inTurn(() => this.#save(request));
  }

  remove(id: string): Promise<void> {
    return this.#inTurn(async () => this.#write((await this.#read()).filter((each) => each.id !== id)));
  }

  /** One change after the other: each is made to what the one before left. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #save({ id, ...request }: Omit<SavedRequest, 'id'> & { id?: string }): Promise<string> {
    const requests = await this.#read();
    const saved = { id: id ?? randomUUID().slice(0, 8), ...request };
    const at = requests.findIndex((each) => each.id === saved.id);
    if (id !== undefined && at === -1) throw new Refusal('There is no such saved request', undefined, 404);
    if (at === -1 && requests.length >= most)
      throw new Refusal(`There are ${most} saved requests already`, 'Remove some.', 409);
    this.#write(at === -1 ? [...requests, saved] : requests.with(at, saved));
    return saved.id;
  }

  async #read(): Promise<SavedRequest[]> {
    const path = this.#folder.find(file);
    if (path === undefined) return [];
    const shown = this.#folder.shown(file);
    if (statSync(path).size > longest) throw new Refusal(`${shown} is longer than ${longest} bytes`);
    const value = parsed(readFileSync(path, 'utf8'), shown);
    const checked = await checkValue(fileSchema, value);
    const [wrong] = 'problems' in checked ? checked.problems : [];
    if (wrong !== undefined)
      throw new Refusal(`${shown} is not as it should be: ${wrong.path} ${wrong.message}`, 'Mend it, or move it away.');
    return (value as { requests: SavedRequest[] }).requests;
  }

  #write(requests: readonly SavedRequest[]): void {
    const path = this.#folder.place(file);
    const whole = `${JSON.stringify({ format: 'ccmcp-requests', version: 1, requests }, null, 2)}\n`;
    if (Buffer.byteLength(whole) > longest) throw new Refusal(`The collection would be longer than ${longest} bytes`);
    // Whoever reads meanwhile gets the old file or the new one. No link can lie in wait under a name that nobody knows before.
    const next = `${path}.${randomUUID()}.new`;
    writeFileSync(next, whole, { mode: 0o600, flag: 'wx' });
    renameSync(next, path);
    this.#tell(requests);
  }

  #tell(requests: readonly SavedRequest[]): void {
    this.#log.add('collection', { file: this.#folder.shown(file), requests });
  }
}

function parsed(content: string, shown: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new Refusal(`${shown} is no JSON`, 'Mend it, or move it away.');
  }
}
