import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import { request, fetchJson } from '../model/api.ts';
import { openedRecording } from '../model/route.ts';
import { getAppState } from '../model/store.ts';
import type { Call, AppState } from '../model/app-state.ts';
import { Menu } from '../components/controls.tsx';
import type { RecordedCall } from '../../shared/requests.ts';
import { useOutcomeLabel } from '../components/use-request.tsx';

const snippetForms = [
  ['command', 'as a command (ccmcp call)'],
  ['curl', 'as cURL'],
  ['test', 'as a test'],
] as const;

/** Copies a call as a snippet. */
export function CopyMenu({ call }: { call: Call }) {
  const { label, run } = useOutcomeLabel({ idle: 'Copy', done: 'Copied', failed: 'Not copied' });
  return (
    <Menu id="copy" text={label}>
      {(close) => {
        const choose = (text: () => Promise<string>) => () => {
          close();
          void run(text().then((copied) => navigator.clipboard.writeText(copied)));
        };
        return (
          <>
            {snippetForms.map(([form, text]) => (
              <button type="button" key={form} onClick={choose(() => fetchSnippet(call, form))}>
                {text}
              </button>
            ))}
            <button type="button" onClick={choose(async () => JSON.stringify(await fetchResult(call), undefined, 2))}>
              the result as JSON
            </button>
            <button type="button" onClick={choose(async () => location.href)}>
              a link to this
            </button>
          </>
        );
      }}
    </Menu>
  );
}

async function fetchSnippet(call: Call, form: (typeof snippetForms)[number][0]): Promise<string> {
  const { text } = await request(
    'copy-as',
    openedRecording.value === undefined
      ? { form, call: call.start.call }
      : { form, recorded: toRecordedCall(getAppState(), call) },
  );
  return text;
}

async function fetchResult({ start, end }: Call): Promise<unknown> {
  if (end?.truncated) return (await fetchJson<FullCall>(apiPaths.call(start.call))).result;
  return end?.result ?? end?.error ?? null;
}

/** Extracts everything needed to repeat a recorded call. */
function toRecordedCall({ connections, targets, diagnostics }: AppState, { start, end, events }: Call): RecordedCall {
  const connection = connections.get(start.connection);
  const { kind = 'url', detail = '', label = '', target } = connection ?? {};
  const [exchange] = [...diagnostics.exchanges.values()].filter(
    ({ request: { call, method } }) => call === start.call && method === 'POST',
  );
  const message = events.find(
    (event) => event.type === 'message' && event.from === 'client' && event.exchange === exchange?.request.exchange,
  );
  const body = message?.type === 'message' && !message.truncated ? message.text : undefined;
  return {
    target: { kind, detail, label: targets.find(({ id }) => id === target)?.label ?? label },
    method: start.method,
    params: JSON.parse(start.params) as Readonly<Record<string, unknown>>,
    ...(connection?.server !== undefined && { revision: connection.server.protocolVersion }),
    ...(end?.result !== undefined && { result: end.result }),
    ...(exchange !== undefined && body !== undefined && { sent: { headers: exchange.request.headers, body } }),
  };
}
