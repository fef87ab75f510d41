import type { Connection } from '../../shared/connections.ts';
import { goTo, place, type Section } from '../model/place.ts';
import { hasSection } from '../model/sections.ts';
import { useWorld } from '../model/state.ts';
import { count } from '../parts/figures.ts';

const names: readonly (readonly [section: Section, text: string])[] = [
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
export function SectionList({ connection }: { connection: Connection }) {
  const world = useWorld('lists', 'work', 'connections');
  const { lists, tasks } = world;
  const counted = (section: Section): number | undefined => {
    if (section === 'tasks')
      return [...tasks.values()].filter((task) => task.connection === connection.id).length || undefined;
    return lists.get(`${connection.id}/${section}`)?.count;
  };
  const warnings = world.warnings.get(connection.id)?.size ?? 0;
  const shown = names.filter(([section]) => hasSection(world, connection, section));
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
