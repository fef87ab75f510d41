import { fileSystem } from '../../../runtime/file-system.ts';
import { textOf } from '../../../jsonrpc/text.ts';
import type { ViewCsp } from '../view-meta.ts';
import { describeReadError } from '../../describe-read-error.ts';
import { validateDocument, maxBytes } from './validate-document.ts';

/** The source of a view's document: a string, a file, or a function called on first use. */
export type DocumentSource =
  | { readonly html: string | (() => string | Promise<string>); readonly file?: undefined }
  | { readonly file: string | URL; readonly html?: undefined };

/** The current document of a view. */
export interface ViewDocument {
  /**
   * Reads it. If the file changed and is invalid now, `failed` gets the error and the previous document is returned.
   */
  read(failed: (error: unknown) => void): string | Promise<string>;
  /** Equal for equal documents. */
  readonly identity: unknown;
}

interface DocumentContext {
  readonly title: string;
  readonly csp: ViewCsp | undefined;
}

/** Creates and validates the document of a view; that of a function on first use. */
export function createDocument(source: DocumentSource, { title, csp }: DocumentContext): ViewDocument {
  const { html, file } = source;
  const check = (text: string): string => {
    validateDocument(title, text, csp);
    return text;
  };
  if (file !== undefined && html === undefined) return fileDocument(file, { title, check });
  if (typeof html === 'function' && file === undefined) return lazyDocument(html, check);
  if (typeof html !== 'string' || file !== undefined) {
    throw new TypeError(`${title} needs its document: give either "html", a text, or "file", a path`);
  }
  check(html);
  return { identity: html, read: () => html };
}

function lazyDocument(make: () => string | Promise<string>, check: (text: string) => string): ViewDocument {
  let made: Promise<string> | undefined;
  const begin = async (): Promise<string> => check(await make());
  return {
    identity: make,
    read() {
      if (made !== undefined) return made;
      made = begin();
      // A failure is retried with the next read.
      made.catch(() => (made = undefined));
      return made;
    },
  };
}

/** Checked for changes with each read. */
function fileDocument(
  file: string | URL,
  { title, check }: { title: string; check(text: string): string },
): ViewDocument {
  const read = (): { stamp: string; text: string } => {
    const stamp = fileStamp(file);
    return { stamp, text: check(readText(file, title)) };
  };
  let latest = first();
  let rejected = '';

  function first(): { stamp: string; text: string } {
    try {
      return read();
    } catch (error) {
      if (error instanceof TypeError && !('code' in error)) throw error;
      throw new TypeError(`${title} can't be read from its file: ${describeReadError(file, error)}`, { cause: error });
    }
  }

  return {
    identity: String(file),
    read(failed) {
      let stamp = '';
      try {
        stamp = fileStamp(file);
        if (stamp !== latest.stamp && stamp !== rejected) latest = read();
      } catch (error) {
        rejected = stamp;
        failed(error);
      }
      return latest.text;
    },
  };
}

/** Checked first: a pipe would block, and a device has no end. */
function readText(file: string | URL, title: string): string {
  const fs = fileSystem();
  const state = fs.statSync(file);
  if (!state.isFile()) throw new TypeError(`${title} can't be read from "${String(file)}": that is no file`);
  if (state.size > maxBytes) {
    throw new TypeError(
      `${title} has ${state.size} bytes, and ${maxBytes} is the most: leave data to the results of tools`,
    );
  }
  const text = textOf(fs.readFileSync(file));
  if (text === undefined) throw new TypeError(`${title} is no text in UTF-8: save "${String(file)}" in that encoding`);
  return text;
}

function fileStamp(file: string | URL): string {
  const { mtimeMs, size, ino } = fileSystem().statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}
