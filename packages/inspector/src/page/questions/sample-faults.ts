import { isRecord } from '../form/json.ts';
import { textOf } from '../parts/text-of.ts';

/** What a server does wrong that asks for a sample with tools, in sentences. */
export function sampleFaults(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return ['"messages" is no list'];
  const faults: string[] = [];
  let open: readonly string[] = [];
  for (const [at, message] of messages.entries()) {
    const pieces = piecesOf(message);
    const results = idsOf(pieces, 'tool_result', 'toolUseId');
    if (results.length > 0 && results.length < pieces.length) {
      faults.push(`Message ${at + 1} has more than results of tools, which must stand alone`);
    }
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0) faults.push(`Message ${at + 1} lacks the result of ${missing.join(', ')}`);
    const strange = results.filter((id) => !open.includes(id));
    if (strange.length > 0) faults.push(`Message ${at + 1} has a result of ${strange.join(', ')}, which nobody used`);
    open = idsOf(pieces, 'tool_use', 'id');
  }
  if (open.length > 0) faults.push(`There is no result of ${open.join(', ')}`);
  return faults;
}

function piecesOf(message: unknown): readonly unknown[] {
  const content = isRecord(message) ? message.content : undefined;
  return Array.isArray(content) ? content : [content];
}

function idsOf(pieces: readonly unknown[], type: string, name: string): readonly string[] {
  return pieces.flatMap((piece) => (isRecord(piece) && piece.type === type ? [textOf(piece[name]).slice(0, 60)] : []));
}
