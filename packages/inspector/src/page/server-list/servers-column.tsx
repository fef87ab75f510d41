import { openedRecording } from '../model/opened-recording.ts';
import { goTo, place, type Section } from '../model/route.ts';
import { useWorld } from '../model/store.ts';
import { openPalette } from '../palette/dialog.tsx';
import { withCommand } from '../palette/shortcuts-help.tsx';
import type { Connection } from '../../shared/connections.ts';
import { firstSection, hasSection } from '../model/selectors.ts';
import { shownName } from '../model/display-name.ts';
import { looks, StatusMark } from '../components/status-icon.tsx';
import { count } from '../components/format.ts';
import { set, settings } from '../model/settings.ts';

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const;
const themeIcons = { system: '◑', light: '☼', dark: '☾' } as const;

/** Light, dark, or as the system has it. */
function ThemeSwitch() {
  const { theme } = settings.value;
  const label = `Colours: ${theme}. Change to ${nextTheme[theme]}`;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      title={label}
      onClick={() => set({ theme: nextTheme[theme] })}
    >
      {themeIcons[theme]}
    </button>
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

/** What there is to see of a server. What it does not have is left out. */
function SectionList({ connection }: { connection: Connection }) {
  const world = useWorld('lists', 'work', 'connections');
  const { lists, tasks } = world;
  const counted = (section: Section): number | undefined => {
    if (section === 'tasks')
      return [...tasks.values()].filter((task) => task.connection === connection.id).length || undefined;
    return lists.get(`${connection.id}/${section}`)?.count;
  };
  const warnings = world.warnings.get(connection.id)?.size ?? 0;
  const shown = sectionNames.filter(([section]) => hasSection(world, connection, section));
  return (
    <ul>
      {shown.map(([section, text]) => (
        <li key={section}>
          <button
            type="button"
            class="section-row"
            aria-current={place.value.section === section ? 'page' : undefined}
            onClick={() => goTo({ server: connection.label, section })}
          >
            <span class="grow">{text}</span>
            {section === 'server' && warnings > 0 ? (
              <span class="note small" title={`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`}>
                ▲ {warnings}
              </span>
            ) : null}
            <Count of={counted(section)} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Count({ of }: { of: number | undefined }) {
  return <span class="dim small">{of === undefined ? '' : count(of)}</span>;
}

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

/** A connection with its status; the chosen one has its sections below. */
function ServerRow({ connection, isChosen }: { connection: Connection; isChosen: boolean }) {
  const { label, detail, status, server } = connection;
  const { questions, connections, byItself } = useWorld('questions', 'connections');
  const name = shownName(connection, connections.values());
  const open = [...questions.values()].some(
    ({ question, end }) => question.connection === connection.id && end === undefined,
  );
  const word = status.is === 'connected' ? (server?.protocolVersion ?? '') : looks[status.is].word;
  return (
    <li>
      <button
        type="button"
        class="server-row"
        aria-current={isChosen ? 'true' : undefined}
        title={name === detail ? undefined : detail}
        onClick={() => goTo({ server: label, section: firstSection(connection) })}
      >
        <StatusMark status={status} />
        <span class="grow cut">{name}</span>
        {open ? (
          <span class="tag note">asks</span>
        ) : byItself.get(connection.id)?.on ? (
          <span class="tag note" title="A model answers what it asks, without you">
            by itself
          </span>
        ) : (
          <span class="dim small server-word">{word}</span>
        )}
      </button>
      {isChosen || place.value.server === undefined ? <SectionList connection={connection} /> : null}
    </li>
  );
}
