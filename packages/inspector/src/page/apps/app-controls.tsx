import type { Connection } from '../../shared/connections.ts';
import type { Entry } from '../model/entries.ts';
import { AppSandboxControls } from './app-sandbox-controls.tsx';
import { AppContextControls } from './app-context-controls.tsx';
import { getSandboxSettings } from './sandbox-settings.ts';
import type { AppInstance } from './app-instance.ts';
import { toolViewUri } from './tool-view.ts';

const states = {
  starting: ['◐', 'starting', 'dim'],
  shown: ['●', 'shown', 'ok'],
  gone: ['○', 'ended', 'dim'],
} as const;

/** What can be done with a view, what it is told of its place, and how it is held. */
export function AppControls({
  app,
  entry,
  connection,
  onReload,
}: {
  app: AppInstance | undefined;
  entry: Entry;
  connection: Connection;
  onReload: () => void;
}) {
  const state = app?.state.value ?? 'starting';
  const [shape, word, tone] = states[state];
  const { relaxed, permissions } = getSandboxSettings(connection.id, entry.id);
  return (
    <div class="app-controls">
      <div class="line app-head">
        <h2>View</h2>
        <span class={tone} role="status">
          {shape} {word}
        </span>
        {relaxed ? <span class="tag note">relaxed policy</span> : null}
        {permissions.length > 0 ? <span class="tag note">granted: {permissions.join(', ')}</span> : null}
        <code class="dim grow cut">{toolViewUri(entry.raw)}</code>
        <button type="button" class="quiet" onClick={onReload} title="Shows it anew, with the same result">
          Reload
        </button>
        <button
          type="button"
          class="quiet"
          disabled={state === 'gone' || app === undefined}
          onClick={() => app?.view.kill()}
          title="Removes it at once, whatever it does"
        >
          Kill
        </button>
      </div>
      <div class="line app-place">
        <AppContextControls app={app} />
        <AppSandboxControls app={app} connection={connection.id} tool={entry.id} />
      </div>
    </div>
  );
}
