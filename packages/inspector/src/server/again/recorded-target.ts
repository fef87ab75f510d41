import type { RecordedCall } from '../../shared/requests.ts';
import { masked } from '../mask.ts';
import { Refusal, type Target } from '../targets.ts';

/** The target of a call of a recording, made from what the recording tells; nothing of it is ever started or called. */
export function recordedTarget({ target: { kind, label, detail }, sent }: RecordedCall): Target {
  if (kind === 'url') {
    if (!URL.canParse(detail)) throw new Refusal('The recording does not tell the address of this server');
    const secrets = (sent?.headers ?? []).filter(([, value]) => value.includes(masked));
    return { kind, label, url: detail, headers: Object.fromEntries(secrets) };
  }
  const [command = label, ...args] = shellWords(label);
  return { kind: 'command', label, command, args };
}

/** The words of a line as it is typed in a shell: what is in quotes is one. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
