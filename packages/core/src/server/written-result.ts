import type { Meta } from '../protocol/meta.ts';

/** What servers say of themselves, as text. */
const serverMetas = new WeakMap<Meta, string>();

/**
 * Writes a result as JSON. Most results are one text: asking for the JSON of that alone takes a quarter of the time.
 * `serverMeta` is what the server says of itself on each result; that is written once.
 */
export function writeResult(result: object, serverMeta: Meta): string {
  return writeTextResult(result as Record<string, unknown>, serverMeta) ?? JSON.stringify(result);
}

/** Gives undefined where there is more in a result than a text and what is said with it. */
function writeTextResult(result: Record<string, unknown>, serverMeta: Meta): string | undefined {
  if (!isPlain(result)) return undefined;
  let text = '';
  for (const name in result) {
    const value = result[name];
    switch (name) {
      case 'resultType':
        if (value !== 'complete') return undefined;
        text += ',"resultType":"complete"';
        break;
      case 'content': {
        const only = onlyText(value);
        if (only === undefined) return undefined;
        text += `,"content":[{"type":"text","text":${JSON.stringify(only)}}]`;
        break;
      }
      case 'isError':
        if (value !== false) return undefined;
        text += ',"isError":false';
        break;
      case '_meta':
        if (value !== serverMeta) return undefined;
        text += `,"_meta":${writeServerMeta(serverMeta)}`;
        break;
      default:
        return undefined;
    }
  }
  return text === '' ? undefined : `{${text.slice(1)}}`;
}

/** The text of a content that is nothing else. */
function onlyText(content: unknown): string | undefined {
  if (!Array.isArray(content) || content.length !== 1 || 'toJSON' in content) return undefined;
  const block: unknown = content[0];
  if (typeof block !== 'object' || block === null || !isPlain(block)) return undefined;
  let expected = 'type';
  for (const name in block) {
    if (name !== expected) return undefined;
    expected = 'text';
  }
  const { type, text } = block as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string' ? text : undefined;
}

/** True for what is written by its own members and nothing else. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value);
}

function writeServerMeta(meta: Meta): string {
  let text = serverMetas.get(meta);
  if (text === undefined) {
    text = JSON.stringify(meta);
    serverMetas.set(meta, text);
  }
  return text;
}
