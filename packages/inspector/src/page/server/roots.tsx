import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';

/** The folders that the client says it works in; the server asks for them with `roots/list`. */
export function Roots({ connection }: { connection: Connection }) {
  const before = (connection.terms.roots ?? []).map(({ uri }) => uri).join('\n');
  const [text, setText] = useState(before);
  const asking = useAsking();
  const roots = text
    .split('\n')
    .map((uri) => uri.trim())
    .filter(Boolean)
    .map((uri) => ({ uri }));
  return (
    <>
      <dt>
        <label for="roots">Roots</label>
      </dt>
      <dd class="line">
        <textarea
          id="roots"
          class="input mono grow"
          rows={Math.max(1, text.split('\n').length)}
          placeholder="file:///home/me/project, one a line"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button"
          disabled={asking.busy || text === before || connection.status.is !== 'connected'}
          onClick={() => asking.run(() => ask('set-roots', { connection: connection.id, roots }))}
        >
          Tell the server
        </button>
        <ProblemBox error={asking.error} />
      </dd>
    </>
  );
}
