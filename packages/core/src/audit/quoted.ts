import { escapeUnseen } from '../jsonrpc/unseen.ts';

/** Most texts have nothing that would have to be escaped: to see that takes less time. */
const unusual = /[^ !#-[\]-~]/;

/** A text as JSON, in which nothing steers a terminal. */
export function quoted(text: string): string {
  return unusual.test(text) ? escapeUnseen(JSON.stringify(text)) : `"${text}"`;
}
