import { closeSync, createReadStream, lstatSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import type { RecordingFile } from '../../shared/requests.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { RequestError } from '../targets.ts';
import type { DataFolder } from './data-folder.ts';
import { type FindEntries, RecordingFormat } from './recording-format.ts';

const folderName = 'recordings';
const extension = '.jsonl';
const plainName = /^\w[\w.-]{0,80}$/;
/** Maximum size of a recording, in bytes; it ends there. */
const maxBytes = 1024 * 1024 * 1024;
/** Events between two progress events. */
const progressInterval = 100;

interface ActiveRecording {
  readonly file: string;
  readonly descriptor: number;
  stop(): void;
  events: number;
  bytes: number;
}

/** Options of a recorder. */
export interface RecorderOptions {
  readonly folder: DataFolder;
  /** Version of the inspector. */
  readonly version: string;
  /** Finds the entries of lists. */
  readonly entries: FindEntries;
}

/** Writes all events to a file, with full texts and lists. */
export class Recorder {
  readonly #log: EventLog;
  readonly #folder: DataFolder;
  readonly #version: string;
  readonly #entries: FindEntries;
  #running: ActiveRecording | undefined;

  constructor(log: EventLog, { folder, version, entries }: RecorderOptions) {
    this.#log = log;
    this.#folder = folder;
    this.#version = version;
    this.#entries = entries;
  }

  /** Starts a recording with the stored past events; returns its file name. */
  start(name?: string): string {
    if (this.#running !== undefined) throw new RequestError('A recording is already running', 'Stop it first.', 409);
    const file = name === undefined ? this.#newName() : toFileName(name);
    const path = this.#folder.prepare(folderName, file);
    const running: ActiveRecording = { file, descriptor: createFile(path, file), stop: () => {}, events: 0, bytes: 0 };
    this.#running = running;
    const events = new RecordingFormat(this.#log, this.#entries);
    this.#write(running, events.head(this.#version));
    for (const line of events.past()) this.#write(running, line);
    running.stop = this.#log.listen((event, whole) => {
      const line = events.line(event, whole);
      if (line === undefined) return;
      this.#write(running, line);
      if (running.events % progressInterval === 0) this.#logState();
    });
    this.#logState();
    return file;
  }

  /** Stops the recording; returns its file name. */
  stop(problem?: string): string {
    const running = this.#running;
    if (running === undefined) throw new RequestError('No recording is running', undefined, 409);
    this.#running = undefined;
    running.stop();
    closeSync(running.descriptor);
    const { file, events, bytes } = running;
    this.#log.add('recording', { state: 'off', file, events, bytes, ...(problem !== undefined && { problem }) });
    return file;
  }

  close(): void {
    if (this.#running !== undefined) this.stop();
  }

  /** Recordings, newest first. */
  list(): RecordingFile[] {
    const folder = dirname(this.#folder.prepare(folderName, `x${extension}`));
    const files = readdirSync(folder).filter((file) => file.endsWith(extension) && plainName.test(file));
    return files
      .flatMap((file) => {
        const found = lstatSync(`${folder}/${file}`, { throwIfNoEntry: false });
        return found?.isFile() ? [{ file, bytes: found.size, at: found.mtimeMs }] : [];
      })
      .sort((one, other) => other.at - one.at);
  }

  /** Reads a recording. */
  read(file: string): Readable {
    const path = plainName.test(file) && file.endsWith(extension) ? this.#folder.find(folderName, file) : undefined;
    if (path === undefined) throw new RequestError('Unknown recording', undefined, 404);
    return createReadStream(path);
  }

  /** File name from the current time, numbered if taken. */
  #newName(): string {
    const time = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
    let file = `${time}${extension}`;
    for (let count = 2; this.#folder.find(folderName, file) !== undefined; count += 1)
      file = `${time}-${count}${extension}`;
    return file;
  }

  #write(running: ActiveRecording, line: string): void {
    if (this.#running !== running) return;
    const text = `${line}\n`;
    const bytes = Buffer.byteLength(text);
    if (running.bytes + bytes > maxBytes) return void this.stop(`It was stopped at ${maxBytes} bytes`);
    try {
      writeSync(running.descriptor, text);
      running.bytes += bytes;
      running.events += 1;
    } catch (error) {
      this.stop(`It could not be written: ${(error as Error).message}`);
    }
  }

  #logState(): void {
    if (this.#running === undefined) return;
    const { file, events, bytes } = this.#running;
    this.#log.add('recording', { state: 'on', file, events, bytes });
  }
}

function toFileName(name: string): string {
  const file = name.endsWith(extension) ? name : `${name}${extension}`;
  if (plainName.test(file)) return file;
  throw new RequestError(
    'A recording name may contain letters, digits, ".", "-" and "_" only',
    'It is stored in .ccmcp/recordings.',
  );
}

function createFile(path: string, file: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new RequestError(`There is a recording ${file} already`, 'Give it another name.', 409);
  }
}
