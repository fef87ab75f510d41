import type { Connection } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { formatCount } from '../components/format.ts';
import { StatusIcon, statusStyles } from '../components/status.tsx';
import { displayName } from '../model/display-name.ts';
import { navigate, openedRecording, route, type Section } from '../model/route.ts';
import { firstSection, hasSection } from '../model/selectors.ts';
import { changeSettings, settings } from '../model/settings.ts';
import { useAppState } from '../model/store.ts';
import { openPalette } from '../palette/dialog.tsx';
import { formatShortcut } from '../palette/shortcuts.tsx';

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
const themeIcons = { system: '◑', light: '☼', dark: '☾' } as const;

/** Switches between light, dark and system theme. */
function ThemeSwitch() {
  const { theme } = settings.value;
  const label = `Colours: ${theme}. Change to ${nextTheme[theme]}`;
  return (
    <Button class="quiet" aria-label={label} title={label} onClick={() => changeSettings({ theme: nextTheme[theme] })}>
      {themeIcons[theme]}
    </Button>
  );
}

const sectionNames: readonly (readonly [section: Section, text: string])[] = [
  ['tools', 'Tools'],
  ['resources', 'Resources'],
  ['templates', 'Templates'],
  ['prompts', 'Prompts'],
  ['listen', 'Listen'],
  ['tasks', 'Tasks'],
  ['skills', 'Skills'],
  ['server', 'Connection'],
];

/** Sections of a server; empty ones are omitted. */
function SectionList({ connection }: { connection: Connection }) {
  const appState = useAppState('lists', 'work', 'connections');
  const { lists, tasks } = appState;
  const countEntries = (section: Section): number | undefined => {
    if (section === 'tasks')
      return [...tasks.values()].filter((task) => task.connection === connection.id).length || undefined;
    return lists.get(`${connection.id}/${section}`)?.count;
  };
  const warnings = appState.warnings.get(connection.id)?.size ?? 0;
  const held = appState.heldBack.get(connection.id)?.length ?? 0;
  const shown = sectionNames.filter(([section]) => hasSection(appState, connection, section));
  return (
    <ul>
      {shown.map(([section, text]) => (
        <li key={section}>
          <button
            type="button"
            class="section-row"
            aria-current={route.value.section === section ? 'page' : undefined}
            onClick={() => navigate({ server: connection.label, section })}
          >
            <span class="grow">{text}</span>
            {section === 'server' && held > 0 ? (
              <span class="tag note" title="Definitions that differ from the lock">
                {held} held back
              </span>
            ) : null}
            {section === 'server' && warnings > 0 ? (
              <span class="note small" title={`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`}>
                ▲ {warnings}
              </span>
            ) : null}
            <Count of={countEntries(section)} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Count({ of }: { of: number | undefined }) {
  return <span class="dim small">{of === undefined ? '' : formatCount(of)}</span>;
}

/** The left column: connections, and sections of the selected one. */
export function ServersColumn() {
  const { connections } = useAppState('connections');
  return (
    <nav class="column servers-column" aria-label="Servers">
      <div class="brand">
        <h1 class="grow">inspector</h1>
        <ThemeSwitch />
      </div>
      <button type="button" class="find" onClick={openPalette}>
        <span class="grow">Search</span>
        <kbd>{formatShortcut('K')}</kbd>
      </button>
      <ul class="server-list">
        {[...connections.values()].map((connection) => (
          <ServerRow key={connection.id} connection={connection} isChosen={connection.label === route.value.server} />
        ))}
        {connections.size === 0 ? <li class="no-server dim">No server yet.</li> : null}
      </ul>
      <div class="server-foot">
        <button
          type="button"
          class="server-row"
          aria-current={route.value.server === '~' ? 'true' : undefined}
          onClick={() => navigate({ server: '~', section: 'server' })}
        >
          <span class="mark">≡</span> Saved and recorded
        </button>
        {openedRecording.value !== undefined ? null : (
          <button
            type="button"
            class="server-row"
            aria-current={route.value.server === '+' ? 'true' : undefined}
            onClick={() => navigate({ server: '+', section: 'server' })}
          >
            <span class="mark">+</span> Add a server
          </button>
        )}
      </div>
    </nav>
  );
}

/** A connection with its status; the selected one shows its sections. */
function ServerRow({ connection, isChosen }: { connection: Connection; isChosen: boolean }) {
  const { label, detail, status, server } = connection;
  const { questions, connections, modelAnswers } = useAppState('questions', 'connections');
  const name = displayName(connection, connections.values());
  const open = [...questions.values()].some(
    ({ question, end }) => question.connection === connection.id && end === undefined,
  );
  const word = status.is === 'connected' ? (server?.protocolVersion ?? '') : statusStyles[status.is].word;
  return (
    <li>
      <button
        type="button"
        class="server-row"
        aria-current={isChosen ? 'true' : undefined}
        title={name === detail ? undefined : detail}
        onClick={() => navigate({ server: label, section: firstSection(connection) })}
      >
        <StatusIcon status={status} />
        <span class="grow truncate">{name}</span>
        {open ? (
          <span class="tag note">asks</span>
        ) : modelAnswers.auto.get(connection.id)?.on ? (
          <span class="tag note" title="A model answers its questions automatically">
            auto
          </span>
        ) : (
          <span class="dim small server-word">{word}</span>
        )}
      </button>
      {isChosen || route.value.server === undefined ? <SectionList connection={connection} /> : null}
    </li>
  );
}
