import { openedRecording } from '../model/opened-recording.ts';
import { goTo, place } from '../model/place.ts';
import { useWorld } from '../model/state.ts';
import { openPalette } from '../palette/palette-state.ts';
import { withCommand } from '../palette/command-key.ts';
import { ServerRow } from './server-row.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The left column: every connection, and what there is to see of the chosen one. */
export function ServersColumn() {
  const { connections } = useWorld('connections');
  return (
    <nav class="column servers-column" aria-label="Servers">
      <div class="brand">
        <h1 class="grow">inspector</h1>
        <ThemeSwitch />
      </div>
      <button type="button" class="find" onClick={openPalette}>
        <span class="grow">Find by name</span>
        <kbd>{withCommand('K')}</kbd>
      </button>
      <ul class="server-list">
        {[...connections.values()].map((connection) => (
          <ServerRow key={connection.id} connection={connection} isChosen={connection.label === place.value.server} />
        ))}
        {connections.size === 0 ? <li class="no-server dim">No server yet.</li> : null}
      </ul>
      <div class="server-foot">
        <button
          type="button"
          class="server-row"
          aria-current={place.value.server === '~' ? 'true' : undefined}
          onClick={() => goTo({ server: '~', section: 'server' })}
        >
          <span class="mark">≡</span> Saved and recorded
        </button>
        {openedRecording.value !== undefined ? null : (
          <button
            type="button"
            class="server-row"
            aria-current={place.value.server === '+' ? 'true' : undefined}
            onClick={() => goTo({ server: '+', section: 'server' })}
          >
            <span class="mark">+</span> Add a server
          </button>
        )}
      </div>
    </nav>
  );
}
