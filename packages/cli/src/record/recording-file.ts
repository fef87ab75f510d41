import { openSync, writeSync } from 'node:fs';
import { type RecordingWriter, recordingWriter } from '@ccmcp/core/recording';
import manifest from '../../package.json' with { type: 'json' };
import { Failure } from '../command/failure.ts';

/** Creates a recording. Each event is written at once, so that only the last line can be truncated. */
export function createRecording(
  file: string,
  { keepSecrets, onError }: { keepSecrets: boolean; onError: (error: Failure) => void },
): RecordingWriter {
  const descriptor = createFile(file);
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
  return recordingWriter({ write, version: manifest.version, keepSecrets });
}

function createFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? `There is a file ${file} already` : `${file} can't be written: ${message}`;
    const hint = code === 'EEXIST' ? 'Give another name, or remove it.' : undefined;
    throw new Failure('usage', reason, { hint, cause: error });
  }
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}
