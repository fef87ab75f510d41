import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { checkValue } from '@ccmcp/core/client';
import { tryParseJson } from '../../shared/json.ts';
import type { SavedRequest } from '../../shared/recordings.ts';
import type { EventLog } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import type { DataFolder } from './data-folder.ts';

const file = 'requests.json';
/** Maximum number of saved requests. */
const maxRequests = 1000;
/** Maximum size of the file, in bytes. */
const maxFileBytes = 16 * 1024 * 1024;

const text = { type: 'string' };
const fileSchema = {
  type: 'object',
  properties: {
    format: { const: 'ccmcp-requests' },
    requests: {
      type: 'array',
      maxItems: maxRequests,
      items: {
        type: 'object',
        properties: { id: text, name: text, target: text, method: text, params: { type: 'object' } },
        required: ['id', 'name', 'target', 'method', 'params'],
      },
    },
  },
  required: ['format', 'requests'],
};

/** The project's saved requests, which can be repeated and shared. */
export class SavedRequests {
  readonly #log: EventLog;
  readonly #folder: DataFolder;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(log: EventLog, folder: DataFolder) {
    this.#log = log;
    this.#folder = folder;
  }

  /** Loads the file, and logs its content. */
  async load(): Promise<void> {
    try {
      this.#logState(await this.#read());
    } catch (error) {
      this.#log.add('collection', {
        file: this.#folder.displayPath(file),
        requests: [],
        problem: (error as Error).message,
      });
    }
  }

  /** Saves a request; replaces one of the same id. */
  save(request: Omit<SavedRequest, 'id'> & { id?: string }): Promise<string> {
    return this.#enqueue(() => this.#save(request));
  }

  remove(id: string): Promise<void> {
    return this.#enqueue(async () => this.#write((await this.#read()).filter((each) => each.id !== id)));
  }

  /** Queues a change: each builds on the result of the previous one. */
  #enqueue<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#queue.then(change);
    this.#queue = changed.catch(() => {});
    return changed;
  }

  async #save({ id, ...request }: Omit<SavedRequest, 'id'> & { id?: string }): Promise<string> {
    const requests = await this.#read();
    const saved = { id: id ?? randomUUID().slice(0, 8), ...request };
    const at = requests.findIndex((each) => each.id === saved.id);
    if (id !== undefined && at === -1) throw new RequestError('Unknown saved request', undefined, 404);
    if (at === -1 && requests.length >= maxRequests)
      throw new RequestError(`There are ${maxRequests} saved requests already`, 'Remove some.', 409);
    this.#write(at === -1 ? [...requests, saved] : requests.with(at, saved));
    return saved.id;
  }

  async #read(): Promise<SavedRequest[]> {
    const path = this.#folder.find(file);
    if (path === undefined) return [];
    const shown = this.#folder.displayPath(file);
    if (statSync(path).size > maxFileBytes) throw new RequestError(`${shown} is longer than ${maxFileBytes} bytes`);
    const value: unknown = tryParseJson(readFileSync(path, 'utf8'));
    if (value === undefined) throw new RequestError(`${shown} is no JSON`, 'Fix it, or move it away.');
    const checked = await checkValue(fileSchema, value);
    const [wrong] = 'problems' in checked ? checked.problems : [];
    if (wrong !== undefined)
      throw new RequestError(
        `${shown} is not as it should be: ${wrong.path} ${wrong.message}`,
        'Fix it, or move it away.',
      );
    return (value as { requests: SavedRequest[] }).requests;
  }

  #write(requests: readonly SavedRequest[]): void {
    const path = this.#folder.prepare(file);
    const whole = `${JSON.stringify({ format: 'ccmcp-requests', version: 1, requests }, null, 2)}\n`;
    if (Buffer.byteLength(whole) > maxFileBytes)
      throw new RequestError(`The collection would be longer than ${maxFileBytes} bytes`);
    // Atomic replacement. An unpredictable name keeps links from being planted.
    const next = `${path}.${randomUUID()}.new`;
    writeFileSync(next, whole, { mode: 0o600, flag: 'wx' });
    renameSync(next, path);
    this.#logState(requests);
  }

  #logState(requests: readonly SavedRequest[]): void {
    this.#log.add('collection', { file: this.#folder.displayPath(file), requests });
  }
}
