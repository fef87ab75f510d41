import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';

/** Says how a connection is examined where that can't be done from here: by a command that can be copied. */
export function ProbeCommand({ connection: { kind, detail } }: { connection: Connection }) {
  const [says, setSays] = useState('Copy');
  if (kind === 'own') {
    return <p class="dim">It runs in the process of this inspector: there is no way to it that could be broken.</p>;
  }
  const command = kind === 'url' ? `ccmcp probe ${quoted(detail)}` : `ccmcp probe -- ${detail}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setSays('Copied');
    } catch {
      setSays('Not copied');
    }
    setTimeout(() => setSays('Copy'), 2000);
  };
  return (
    <p class="line">
      <span>To examine it, from name and port to streams and signing in, run</span>
      <code class="advice">{command}</code>
      <button type="button" class="quiet" onClick={() => void copy()}>
        <span aria-live="polite">{says}</span>
      </button>
    </p>
  );
}

/** An address as a word of a shell. */
function quoted(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
