import { useState } from 'preact/hooks';
import { JsonEditor } from '../form/json-editor.tsx';
import type { AppInstance } from './app-instance.ts';

/** A message that is about to be sent, and who would have sent it. */
export interface Draft {
  readonly from: 'host' | 'view';
  readonly message: unknown;
}

/** Writes a message: to the view, or to the page as if the view had sent it. */
export function MessageComposer({ app, draft, onClose }: { app: AppInstance; draft: Draft; onClose: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(draft.message, undefined, 2) ?? '');
  const message = parseOrUndefined(text);
  const isToView = draft.from === 'host';
  return (
    <div class="app-writer" role="group" aria-label="Write a message">
      <JsonEditor text={text} label="Message as JSON" onType={setText} />
      <div class="line">
        <button
          type="button"
          class="button primary"
          disabled={message === undefined || app.state.value === 'gone'}
          onClick={() => {
            if (isToView) app.view.send(message);
            else app.view.receive(message);
          }}
        >
          {isToView ? 'Send to the view' : 'Send as the view'}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
        {message === undefined ? <span class="bad">This is no JSON.</span> : null}
      </div>
    </div>
  );
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
