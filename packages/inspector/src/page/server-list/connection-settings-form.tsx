import { useState } from 'preact/hooks';
import type { ConnectionSettings } from '../../shared/connections.ts';
import { Checkbox } from '../components/controls.tsx';
import { useAppState } from '../model/store.ts';

const eras = { handshake: 'with a handshake', stateless: 'without a handshake' } as const;

/** Connection settings: revision, headers, timeout, client capabilities. */
export function ConnectionSettingsForm({
  settings,
  onChange,
}: {
  settings: ConnectionSettings;
  onChange: (settings: ConnectionSettings) => void;
}) {
  const revisions = useAppState('hello').hello?.revisions ?? [];
  const [headers, setHeaders] = useState(() =>
    Object.entries(settings.headers ?? {})
      .map((pair) => pair.join(': '))
      .join('\n'),
  );
  const version = settings.version ?? (settings.era === undefined || settings.era === 'auto' ? 'auto' : settings.era);
  return (
    <div class="options">
      <label for="terms-revision">Revision</label>
      <select
        id="terms-revision"
        class="input"
        value={version}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const { era: _era, version: _version, ...rest } = settings;
          if (value === 'auto') onChange(rest);
          else if (value === 'handshake' || value === 'stateless') onChange({ ...rest, era: value });
          else onChange({ ...rest, version: value });
        }}
      >
        <option value="auto">newest supported by both sides</option>
        <option value="stateless">any {eras.stateless}</option>
        <option value="handshake">any {eras.handshake}</option>
        {revisions.map(({ version: each, era }) => (
          <option key={each} value={each}>
            {each}, {eras[era]}
          </option>
        ))}
      </select>
      <label for="terms-headers">Headers, one per line</label>
      <textarea
        id="terms-headers"
        class="input mono"
        rows={2}
        placeholder="Authorization: Bearer …"
        spellcheck={false}
        value={headers}
        onInput={(event) => {
          setHeaders(event.currentTarget.value);
          onChange({ ...settings, headers: parseHeaders(event.currentTarget.value) });
        }}
      />
      <label for="terms-timeout">Timeout, in seconds</label>
      <input
        id="terms-timeout"
        class="input"
        type="number"
        min={1}
        placeholder="60"
        value={settings.timeoutMs === undefined ? '' : settings.timeoutMs / 1000}
        onInput={(event) => {
          const { timeoutMs: _, ...rest } = settings;
          const seconds = event.currentTarget.valueAsNumber;
          onChange(Number.isFinite(seconds) && seconds > 0 ? { ...rest, timeoutMs: seconds * 1000 } : rest);
        }}
      />
      <span class="dim">It may ask for</span>
      <span class="line">
        <Checkbox
          label="forms and pages"
          checked={settings.elicitation !== false}
          onChange={(checked) => onChange({ ...settings, elicitation: checked })}
        />
        <Checkbox
          label="answers of a model, which you write or look at"
          checked={settings.sampling !== false}
          onChange={(checked) => onChange({ ...settings, sampling: checked })}
        />
      </span>
    </div>
  );
}

function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
