import type { InspectorEvent } from '../../shared/events.ts';
import type { RecordedCall } from '../../shared/requests.ts';
import type { InspectorParts } from '../context.ts';
import { asCommand } from './cli-snippet.ts';
import { asCurl, type SentCall } from './curl-snippet.ts';
import { asTest } from './test-snippet.ts';
import type { CopiedCall } from './snippet-call.ts';
import { masked } from '../secrets.ts';
import { Refusal, type Target } from '../targets.ts';

/** What a call can be written as. */
export type CopyForm = 'curl' | 'command' | 'test';

/** Writes a call so that it can be made elsewhere. */
export function copyAs(form: CopyForm, call: CopiedCall, parts: InspectorParts): string {
  if (form === 'test') return asTest(call);
  const { reached, lists, revision } = parts.connections.get(call.connection);
  if (form === 'curl')
    return asCurl({ ...call, revision }, reached, call.id === undefined ? undefined : sentFor(call.id, parts));
  const tool = call.method === 'tools/call' ? lists.entry('tools', String(call.params.name)) : undefined;
  return asCommand({ ...call, inputSchema: tool?.inputSchema }, reached);
}

/** Writes a call of a recording so that it can be made elsewhere. */
export function copyRecorded(form: CopyForm, recorded: RecordedCall): string {
  const call = { connection: '', ...recorded };
  if (form === 'test') return asTest(call);
  const target = recordedTarget(recorded);
  return form === 'command' ? asCommand(call, target) : asCurl(call, target, recorded.sent);
}

/** The HTTP request by which a call was sent, as far as it is still known. */
function sentFor(call: string, { log }: InspectorParts): SentCall | undefined {
  let request: InspectorEvent<'http-request'> | undefined;
  for (const { n, json } of log.after(0)) {
    const event = JSON.parse(json) as InspectorEvent;
    if (event.type === 'http-request' && event.call === call && event.method === 'POST') request ??= event;
    if (event.type !== 'message' || event.from !== 'client' || event.exchange !== request?.exchange) continue;
    if (request !== undefined) return { headers: request.headers, body: log.texts.get(n)?.text ?? event.text };
  }
  return undefined;
}

/** The target of a call of a recording, made from what the recording tells; nothing of it is ever started or called. */
function recordedTarget({ target: { kind, label, detail }, sent }: RecordedCall): Target {
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
