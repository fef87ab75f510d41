import type { RequestId } from '../../jsonrpc/message.ts';
import type { Meta } from '../../protocol/meta.ts';

/** The JSON after the text of a result, by the server's `_meta`, since it is the same each time. */
const endings = new WeakMap<Meta, string>();

/** A longer text is encoded with the whole response: concatenating it would copy it. */
const longText = 64 * 1024;

const members = ['content', 'isError'];
const sealedMembers = ['resultType', 'content', 'isError', '_meta'];
const blockMembers = ['type', 'text'];

/**
 * The fast path for encoding the response of a call whose result is one text, as most are: stringifying that text alone takes
 * a quarter of the time. Undefined for every other result. `serverMeta` is the server's `_meta` on each.
 */
export function encodeTextResult(id: RequestId, result: object, serverMeta: Meta): string | undefined {
  const { resultType, content, isError, _meta } = result as Record<string, unknown>;
  if (isError !== false || !Array.isArray(content) || content.length !== 1 || 'toJSON' in content) return undefined;
  const isSealed = resultType !== undefined;
  if (isSealed && (resultType !== 'complete' || _meta !== serverMeta)) return undefined;
  if (!hasOnly(result, isSealed ? sealedMembers : members)) return undefined;
  const block = content[0] as { type?: unknown; text?: unknown } | null;
  if (typeof block !== 'object' || block === null || !hasOnly(block, blockMembers)) return undefined;
  const { type, text } = block;
  if (type !== 'text' || typeof text !== 'string' || text.length > longText) return undefined;
  const idText = typeof id === 'number' ? id : JSON.stringify(id);
  if (!isSealed) {
    return `{"jsonrpc":"2.0","id":${idText},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":false}}`;
  }
  const ending = endings.get(serverMeta) ?? writeEnding(serverMeta);
  return `{"jsonrpc":"2.0","id":${idText},"result":{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(text)}${ending}`;
}

/** True for a plain object with exactly these members, in this order. */
function hasOnly(value: object, names: readonly string[]): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  let count = 0;
  for (const name in value) {
    if (name !== names[count]) return false;
    count += 1;
  }
  return count === names.length;
}

function writeEnding(meta: Meta): string {
  const ending = `}],"isError":false,"_meta":${JSON.stringify(meta)}}}`;
  endings.set(meta, ending);
  return ending;
}
