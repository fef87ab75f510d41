import { useState } from 'preact/hooks';
import { isRecord, type Json, tryParseJson } from '../../shared/json.ts';
import { Button, Select } from '../components/controls.tsx';
import { formatTime } from '../components/format.ts';
import { JsonTree } from '../content/json-tree.tsx';
import { JsonEditor } from '../form/json-editor.tsx';
import type { AppInstance, LoggedMessage } from './app-instance.ts';

/** All messages between page and view, latest last; each can be edited and resent. */
export function AppMessages({ app }: { app: AppInstance }) {
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState<(Draft & { key: string }) | undefined>();
  const messages = app.messages.value;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="dim">Messages {messages.at(-1)?.n ?? 0}</summary>
      {isOpen ? (
        <>
          <ol class="app-messages" aria-label="Messages of the view">
            {messages.map((passed) => (
              <MessageRow
                key={passed.n}
                passed={passed}
                onEdit={() => setDraft({ key: String(passed.n), from: passed.from, message: toResend(passed) })}
              />
            ))}
          </ol>
          <label class="line small dim">
            Tell the view
            <Select
              class=""
              value=""
              options={[['', '…'], ...messageTemplates.map(([name]) => [name, name] as const)]}
              onChange={(name, select) => {
                select.value = '';
                const message = messageTemplates.find(([each]) => each === name)?.[1];
                if (message !== undefined) setDraft({ key: name, from: 'host', message });
              }}
            />
          </label>
          {draft === undefined ? null : (
            <MessageComposer key={draft.key} app={app} draft={draft} onClose={() => setDraft(undefined)} />
          )}
        </>
      ) : null}
    </details>
  );
}

function MessageRow({
  passed: { at, from, message, rejected },
  onEdit,
}: {
  passed: LoggedMessage;
  onEdit: () => void;
}) {
  const name = messageName(message);
  return (
    <li>
      <span class="dim mono small">{formatTime(at)}</span>
      <span class="mono small" title={from === 'host' ? 'to the view' : 'from the view'}>
        {from === 'host' ? '→' : '←'}
      </span>
      <div class="grow">
        <JsonTree value={message as Json} depth={0} name={name} />
        {rejected === undefined ? null : <p class="bad small">✕ {rejected}</p>}
      </div>
      <Button class="quiet small" aria-label={`Edit ${name}`} title="Edits it, to send it again" onClick={onEdit}>
        Edit
      </Button>
    </li>
  );
}

/** A message to resend; a request gets another id, to distinguish its responses. */
function toResend({ n, message }: LoggedMessage): unknown {
  return isRecord(message) && 'method' in message && 'id' in message ? { ...message, id: `again-${n}` } : message;
}

function messageName(message: unknown): string {
  if (!isRecord(message)) return 'no message';
  if (typeof message.method === 'string') return message.method;
  const id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : '';
  return `${'error' in message ? 'error' : 'result'} ${id}`;
}

/** A message to send, and its sender. */
interface Draft {
  readonly from: 'host' | 'view';
  readonly message: unknown;
}

/** Edits a message and sends it to the view, or to the page on behalf of the view. */
function MessageComposer({ app, draft, onClose }: { app: AppInstance; draft: Draft; onClose: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(draft.message, undefined, 2) ?? '');
  const message = tryParseJson(text);
  const isToView = draft.from === 'host';
  return (
    <div class="message-composer" role="group" aria-label="Write a message">
      <JsonEditor text={text} label="Message as JSON" onType={setText} />
      <div class="line">
        <Button
          isPrimary
          disabled={message === undefined || app.state.value === 'closed'}
          onClick={() => {
            if (isToView) app.view.send(message);
            else app.view.receive(message);
          }}
        >
          {isToView ? 'Send to the view' : 'Send as the view'}
        </Button>
        <Button onClick={onClose}>Close</Button>
        {message === undefined ? <span class="bad">This is no JSON.</span> : null}
      </div>
    </div>
  );
}

/** Templates of host messages, by label. */
const messageTemplates: readonly (readonly [name: string, message: object])[] = [
  ['a part of the input', notification('ui/notifications/tool-input-partial', { arguments: {} })],
  ['that the call was cancelled', notification('ui/notifications/tool-cancelled', { reason: 'The user cancelled' })],
  ['another result', notification('ui/notifications/tool-result', { content: [{ type: 'text', text: '' }] })],
  ['another place', notification('ui/notifications/host-context-changed', { theme: 'dark' })],
  ['that the tools have changed', notification('notifications/tools/list_changed', {})],
  ['a request to end', request('ui/resource-teardown', { reason: '' })],
  ['a request for its tools', request('tools/list', {})],
  ['a call of one of its tools', request('tools/call', { name: '', arguments: {} })],
];

function notification(method: string, params: object): object {
  return { jsonrpc: '2.0', method, params };
}

function request(method: string, params: object): object {
  return { jsonrpc: '2.0', id: 'by-hand', method, params };
}
