import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { readRecordingEnd, type RecordingEnd, type RecordingWriter, recordingWriter } from '@ccmcp/core/recording';
import manifest from '../../package.json' with { type: 'json' };
import { Failure } from '../command/failure.ts';

/** A recording that is written. */
export interface RecordingFile {
  readonly writer: RecordingWriter;
  /** Removes the file if it was created, for a server that did not start. */
  discard(): void;
}

/**
 * Creates a recording, or continues one: clients start their servers again. Each event is written at once, so that only the last line
 * can be truncated.
 */
export async function openRecordingFile(
  file: string,
  { keepSecrets, onError }: { keepSecrets: boolean; onError: (error: Failure) => void },
): Promise<RecordingFile> {
  const created = createFile(file);
  const after = created === undefined ? await readEnd(file) : undefined;
  const descriptor = created ?? openSync(file, 'a');
  if (after?.isTruncated) writeSync(descriptor, '\n');
  let isBroken = false;
  const write = (line: string): void => {
    if (isBroken) return;
    try {
      writeWhole(descriptor, Buffer.from(line));
    } catch (error) {
      isBroken = true;
      const message = `The recording ends here, ${file} can't be written: ${(error as Error).message}`;
      onError(new Failure('unexpected', message, { cause: error }));
    }
  };
  return {
    writer: recordingWriter({ write, version: manifest.version, keepSecrets, ...(after && { after }) }),
    discard() {
      closeSync(descriptor);
      if (created !== undefined) rmSync(file);
    },
  };
}

/** Creates a file; undefined if it exists. */
function createFile(file: string): number | undefined {
  try {
    return openSync(file, 'ax', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return undefined;
    throw new Failure('usage', `${file} can't be written: ${message}`, { cause: error });
  }
}

async function readEnd(file: string): Promise<RecordingEnd & { readonly isTruncated: boolean }> {
  try {
    return await readRecordingEnd(file);
  } catch (error) {
    throw new Failure('usage', `${file} can't be continued: ${(error as Error).message}`, {
      hint: 'Give another name, or remove the file.',
      cause: error,
    });
  }
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}
