import { useState } from 'preact/hooks';
import { isRecord, type Json } from '../form/json.ts';
import { formatTime } from '../components/format.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { messageTemplates } from './message-templates.ts';
import { type Draft, MessageComposer } from './message-composer.tsx';
import type { LoggedMessage, AppInstance } from './app-instance.ts';

/** Every message between page and view, in both directions, the latest last; each can be edited and sent again. */
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
            <select
              value=""
              onChange={({ currentTarget }) => {
                const [name, message] = messageTemplates[Number(currentTarget.value)] ?? [];
                currentTarget.value = '';
                if (name !== undefined) setDraft({ key: name, from: 'host', message });
              }}
            >
              <option value="">…</option>
              {messageTemplates.map(([name], index) => (
                <option key={name} value={index}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {draft === undefined ? null : (
            <MessageComposer key={draft.key} app={app} draft={draft} onClose={() => setDraft(undefined)} />
          )}
        </>
      ) : null}
    </details>
  );
}

function MessageRow({ passed: { at, from, message, refused }, onEdit }: { passed: LoggedMessage; onEdit: () => void }) {
  const name = messageName(message);
  return (
    <li>
      <span class="dim mono small">{formatTime(at)}</span>
      <span class="mono small" title={from === 'host' ? 'to the view' : 'from the view'}>
        {from === 'host' ? '→' : '←'}
      </span>
      <div class="grow">
        <JsonTree value={message as Json} depth={0} name={name} />
        {refused === undefined ? null : <p class="bad small">✕ {refused}</p>}
      </div>
      <button
        type="button"
        class="quiet small"
        aria-label={`Edit ${name}`}
        title="Edits it, to send it again"
        onClick={onEdit}
      >
        Edit
      </button>
    </li>
  );
}

/** A message to be sent once more; a request under another id, so that its answers can be told apart. */
function toResend({ n, message }: LoggedMessage): unknown {
  return isRecord(message) && 'method' in message && 'id' in message ? { ...message, id: `again-${n}` } : message;
}

function messageName(message: unknown): string {
  if (!isRecord(message)) return 'no message';
  if (typeof message.method === 'string') return message.method;
  const id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : '';
  return `${'error' in message ? 'error' : 'result'} ${id}`;
}
