import * as fs from 'node:fs';
import { textOf } from '../../../jsonrpc/utf8.ts';
import { limits } from '../../../limits.ts';
import type { ViewCsp } from '../view-meta.ts';
import { describeReadError } from '../../unreadable.ts';
import { validateDocument } from './validate-document.ts';

const mostBytes = limits.apps.view.value;

/** Where the document of a view comes from: a text, a file, or a function that is called when it is first wanted. */
export type DocumentSource =
  | { readonly html: string | (() => string | Promise<string>); readonly file?: undefined }
  | { readonly file: string | URL; readonly html?: undefined };

/** The document of a view, as it is at present. */
export interface ViewDocument {
  /** Gives it. Where a file was changed and is wrong now, `failed` is told and what it had before is given. */
  read(failed: (error: unknown) => void): string | Promise<string>;
  /** The same for two documents that are the same. */
  readonly identity: unknown;
}

interface DocumentContext {
  readonly title: string;
  readonly csp: ViewCsp | undefined;
}

/** Takes what an author gave as the document of a view, and checks it: a function's when it is first called. */
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
      // Tried again where it failed: what was in the way may be gone.
      made.catch(() => (made = undefined));
      return made;
    },
  };
}

/** Read anew when the file has changed since, which is looked at each time that it is wanted. */
function fileDocument(
  file: string | URL,
  { title, check }: { title: string; check(text: string): string },
): ViewDocument {
  const read = (): { stamp: string; text: string } => {
    const stamp = fileStamp(file);
    return { stamp, text: check(readText(file, title)) };
  };
  let latest = first();
  let refused = '';

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
        if (stamp !== latest.stamp && stamp !== refused) latest = read();
      } catch (error) {
        refused = stamp;
        failed(error);
      }
      return latest.text;
    },
  };
}

/** Looked at before it is read: a pipe would be waited for, and a device has no end. */
function readText(file: string | URL, title: string): string {
  const state = fs.statSync(file);
  if (!state.isFile()) throw new TypeError(`${title} can't be read from "${String(file)}": that is no file`);
  if (state.size > mostBytes) {
    throw new TypeError(
      `${title} has ${state.size} bytes, and ${mostBytes} is the most: leave data to the results of tools`,
    );
  }
  const text = textOf(fs.readFileSync(file));
  if (text === undefined) throw new TypeError(`${title} is no text in UTF-8: save "${String(file)}" in that encoding`);
  return text;
}

function fileStamp(file: string | URL): string {
  const { mtimeMs, size, ino } = fs.statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}
