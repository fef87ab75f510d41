import { useState } from 'preact/hooks';
import type { ConnectionTerms } from '../../shared/connections.ts';
import { useWorld } from '../model/store.ts';

const eras = { handshake: 'with a handshake', stateless: 'without a handshake' } as const;

/** How a connection is to be made: revision, headers, what the server may ask. */
export function TermsForm({ terms, onChange }: { terms: ConnectionTerms; onChange: (terms: ConnectionTerms) => void }) {
  const revisions = useWorld('hello').hello?.revisions ?? [];
  const [headers, setHeaders] = useState(() =>
    Object.entries(terms.headers ?? {})
      .map((pair) => pair.join(': '))
      .join('\n'),
  );
  const version = terms.version ?? (terms.era === undefined || terms.era === 'auto' ? 'auto' : terms.era);
  return (
    <div class="options">
      <label for="terms-revision">Revision</label>
      <select
        id="terms-revision"
        class="input"
        value={version}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const { era: _era, version: _version, ...rest } = terms;
          if (value === 'auto') onChange(rest);
          else if (value === 'handshake' || value === 'stateless') onChange({ ...rest, era: value });
          else onChange({ ...rest, version: value });
        }}
      >
        <option value="auto">the newest that both sides know</option>
        <option value="stateless">any {eras.stateless}</option>
        <option value="handshake">any {eras.handshake}</option>
        {revisions.map(({ version: each, era }) => (
          <option key={each} value={each}>
            {each}, {eras[era]}
          </option>
        ))}
      </select>
      <label for="terms-headers">Headers, one a line</label>
      <textarea
        id="terms-headers"
        class="input mono"
        rows={2}
        placeholder="Authorization: Bearer …"
        spellcheck={false}
        value={headers}
        onInput={(event) => {
          setHeaders(event.currentTarget.value);
          onChange({ ...terms, headers: headersOf(event.currentTarget.value) });
        }}
      />
      <label for="terms-timeout">Wait for an answer, in seconds</label>
      <input
        id="terms-timeout"
        class="input"
        type="number"
        min={1}
        placeholder="60"
        value={terms.timeoutMs === undefined ? '' : terms.timeoutMs / 1000}
        onInput={(event) => {
          const { timeoutMs: _, ...rest } = terms;
          const seconds = event.currentTarget.valueAsNumber;
          onChange(Number.isFinite(seconds) && seconds > 0 ? { ...rest, timeoutMs: seconds * 1000 } : rest);
        }}
      />
      <span class="dim">It may ask for</span>
      <span class="line">
        <label>
          <input
            type="checkbox"
            checked={terms.elicitation !== false}
            onChange={(event) => onChange({ ...terms, elicitation: event.currentTarget.checked })}
          />{' '}
          forms and pages
        </label>
        <label>
          <input
            type="checkbox"
            checked={terms.sampling !== false}
            onChange={(event) => onChange({ ...terms, sampling: event.currentTarget.checked })}
          />{' '}
          answers of a model, which you write or look at
        </label>
      </span>
    </div>
  );
}

function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
