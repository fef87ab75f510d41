import { closeSync, createReadStream, lstatSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { limits } from '@ccmcp/core';
import type { RecordingFile } from '../../shared/requests.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { Refusal } from '../targets.ts';
import type { OwnFolder } from './data-folder.ts';
import { type FindEntries, RecordedEvents } from './recording-format.ts';

const folderName = 'recordings';
const ending = '.jsonl';
const plainName = /^\w[\w.-]{0,80}$/;
const longest = limits.inspector.recording.value;
/** How often the page is told how much there is, in events. */
const tellEach = 100;

interface Running {
  readonly file: string;
  readonly descriptor: number;
  stop(): void;
  events: number;
  bytes: number;
}

/** What a recorder works with. */
export interface RecorderOptions {
  readonly folder: OwnFolder;
  /** The version of the inspector. */
  readonly version: string;
  /** Finds what lists have. */
  readonly entries: FindEntries;
}

/** Writes everything that happens to a file, with texts and lists whole. */
export class Recorder {
  readonly #log: EventLog;
  readonly #folder: OwnFolder;
  readonly #version: string;
  readonly #entries: FindEntries;
  #running: Running | undefined;

  constructor(log: EventLog, { folder, version, entries }: RecorderOptions) {
    this.#log = log;
    this.#folder = folder;
    this.#version = version;
    this.#entries = entries;
  }

  /** Begins a recording with what is still known of the past; gives the name of its file. */
  start(name?: string): string {
    if (this.#running !== undefined) throw new Refusal('A recording runs already', 'End it first.', 409);
    const file = name === undefined ? this.#newName() : named(name);
    const path = this.#folder.place(folderName, file);
    const running: Running = { file, descriptor: newFile(path, file), stop: () => {}, events: 0, bytes: 0 };
    this.#running = running;
    const events = new RecordedEvents(this.#log, this.#entries);
    this.#write(running, events.head(this.#version));
    for (const line of events.past()) this.#write(running, line);
    running.stop = this.#log.listen((event, whole) => {
      const line = events.line(event, whole);
      if (line === undefined) return;
      this.#write(running, line);
      if (running.events % tellEach === 0) this.#tell();
    });
    this.#tell();
    return file;
  }

  /** Ends the recording; gives the name of its file. */
  stop(problem?: string): string {
    const running = this.#running;
    if (running === undefined) throw new Refusal('No recording runs', undefined, 409);
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

  /** The recordings that there are, newest first. */
  list(): RecordingFile[] {
    const folder = dirname(this.#folder.place(folderName, `x${ending}`));
    const files = readdirSync(folder).filter((file) => file.endsWith(ending) && plainName.test(file));
    return files
      .flatMap((file) => {
        const found = lstatSync(`${folder}/${file}`, { throwIfNoEntry: false });
        return found?.isFile() ? [{ file, bytes: found.size, at: found.mtimeMs }] : [];
      })
      .sort((one, other) => other.at - one.at);
  }

  /** Reads a recording. */
  read(file: string): Readable {
    const path = plainName.test(file) && file.endsWith(ending) ? this.#folder.find(folderName, file) : undefined;
    if (path === undefined) throw new Refusal('There is no such recording', undefined, 404);
    return createReadStream(path);
  }

  /** The time of day; of two in the same second the later has a number. */
  #newName(): string {
    const time = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
    let file = `${time}${ending}`;
    for (let count = 2; this.#folder.find(folderName, file) !== undefined; count += 1)
      file = `${time}-${count}${ending}`;
    return file;
  }

  #write(running: Running, line: string): void {
    if (this.#running !== running) return;
    const text = `${line}\n`;
    const bytes = Buffer.byteLength(text);
    if (running.bytes + bytes > longest) return void this.stop(`It was ended at ${longest} bytes`);
    try {
      writeSync(running.descriptor, text);
      running.bytes += bytes;
      running.events += 1;
    } catch (error) {
      this.stop(`It could not be written: ${(error as Error).message}`);
    }
  }

  #tell(): void {
    if (this.#running === undefined) return;
    const { file, events, bytes } = this.#running;
    this.#log.add('recording', { state: 'on', file, events, bytes });
  }
}

function named(name: string): string {
  const file = name.endsWith(ending) ? name : `${name}${ending}`;
  if (plainName.test(file)) return file;
  throw new Refusal(
    'The name of a recording has letters, digits, ".", "-" and "_" only',
    'It is kept in .ccmcp/recordings.',
  );
}

function newFile(path: string, file: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Refusal(`There is a recording ${file} already`, 'Give it another name.', 409);
  }
}
