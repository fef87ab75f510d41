import type { InspectorEvent } from '../../shared/events.ts';
import type { RecordedCall } from '../../shared/requests.ts';
import type { InspectorContext } from '../context.ts';
import { cliSnippet } from './cli-snippet.ts';
import { curlSnippet, type SentRequest } from './curl-snippet.ts';
import { testSnippet } from './test-snippet.ts';
import type { SnippetCall } from './snippet-call.ts';
import { masked } from '../secrets.ts';
import { RequestError, type Target } from '../targets.ts';

/** Snippet formats. */
export type SnippetForm = 'curl' | 'command' | 'test';

/** Creates a snippet that repeats a call elsewhere. */
export function createSnippet(form: SnippetForm, call: SnippetCall, context: InspectorContext): string {
  if (form === 'test') return testSnippet(call);
  const { effectiveTarget, lists, revision } = context.connections.get(call.connection);
  if (form === 'curl')
    return curlSnippet(
      { ...call, revision },
      effectiveTarget,
      call.id === undefined ? undefined : findSentRequest(call.id, context),
    );
  const tool = call.method === 'tools/call' ? lists.entry('tools', String(call.params.name)) : undefined;
  return cliSnippet({ ...call, inputSchema: tool?.inputSchema }, effectiveTarget);
}

/** Creates a snippet from a recorded call. */
export function createRecordedSnippet(form: SnippetForm, recorded: RecordedCall): string {
  const call = { connection: '', ...recorded };
  if (form === 'test') return testSnippet(call);
  const target = toTarget(recorded);
  return form === 'command' ? cliSnippet(call, target) : curlSnippet(call, target, recorded.sent);
}

/** The HTTP request of a call, if still stored. */
function findSentRequest(call: string, { log }: InspectorContext): SentRequest | undefined {
  let request: InspectorEvent<'http-request'> | undefined;
  for (const { n, json } of log.after(0)) {
    const event = JSON.parse(json) as InspectorEvent;
    if (event.type === 'http-request' && event.call === call && event.method === 'POST') request ??= event;
    if (event.type !== 'message' || event.from !== 'client' || event.exchange !== request?.exchange) continue;
    if (request !== undefined) return { headers: request.headers, body: log.texts.get(n)?.text ?? event.text };
  }
  return undefined;
}

/** Target of a recorded call. It is never started or called. */
function toTarget({ target: { kind, label, detail }, sent }: RecordedCall): Target {
  if (kind === 'url') {
    if (!URL.canParse(detail)) throw new RequestError('The recording does not contain the URL of this server');
    const secrets = (sent?.headers ?? []).filter(([, value]) => value.includes(masked));
    return { kind, label, url: detail, headers: Object.fromEntries(secrets) };
  }
  const [command = label, ...args] = splitShellWords(label);
  return { kind: 'command', label, command, args };
}

/** Splits a shell command line into words. */
function splitShellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"]|['"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}
