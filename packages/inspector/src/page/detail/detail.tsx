import type { Connection } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import { entryOf, idOf, useEntries } from '../model/entries.ts';
import { goTo, place } from '../model/route.ts';
import { useWorld } from '../model/store.ts';
import { useKeptScroll } from '../components/use-tab-state.ts';
import { ConnectionLine } from '../connection/connection-state.tsx';
import { PromptPage } from './prompt-page.tsx';
import { ResourcePage } from './resource-page.tsx';
import { TemplatePage } from './resource-page.tsx';
import { ToolPage } from './tool-page.tsx';
import { shownName } from '../model/display-name.ts';
import { withCommand } from '../palette/shortcuts-help.tsx';
import { KeyRows } from '../palette/shortcuts-help.tsx';
import { Markdown } from '../result/markdown.tsx';

const shortcuts = [
  ['↑ ↓', 'walk through the list'],
  ['/', 'filter it'],
  [withCommand('K'), 'find everything by name'],
  ['?', 'all keys'],
] as const;

/** What the right column says before an entry is chosen: what the server tells its users, and how to go on. */
function NothingChosen({ connection }: { connection: Connection }) {
  const { server } = connection;
  const { info, instructions } = server ?? {};
  return (
    <div class="nothing-chosen">
      <h1>
        {info?.title ?? info?.name ?? shownName(connection)} <span class="dim">{info?.version}</span>
      </h1>
      {instructions === undefined || instructions === '' ? null : <Markdown text={instructions} />}
      <dl class="keys dim">
        <KeyRows keys={shortcuts} />
      </dl>
    </div>
  );
}

const names = { tools: 'Tools', resources: 'Resources', templates: 'Templates', prompts: 'Prompts' };
const pages = { tools: ToolPage, resources: ResourcePage, templates: TemplatePage, prompts: PromptPage };

/** The right column: what was chosen in the list. */
export function Detail({ connection, kind }: { connection: Connection; kind: ListKind }) {
  const { lists } = useWorld('lists');
  const entries = useEntries(connection.id, kind);
  const { name } = place.value;
  const scroller = useKeptScroll();
  const back = (
    <button type="button" class="back" onClick={() => goTo({ server: connection.label, section: kind })}>
      ‹ {names[kind]}
    </button>
  );
  if (name === undefined) {
    return (
      <main class="content" aria-label="Detail">
        {back}
        <ConnectionLine connection={connection} />
        <NothingChosen connection={connection} />
      </main>
    );
  }
  const listed = entries?.find(({ id }) => id === name);
  // Links lead to resources that need not be listed.
  const entry = listed ?? (kind === 'resources' ? entryOf(kind, { [idOf[kind]]: name }, 0) : undefined);
  const Page = pages[kind];
  const isKnown = lists.get(`${connection.id}/${kind}`)?.state === 'loaded' && entries !== undefined;
  return (
    <main class="content" aria-label="Detail" ref={scroller}>
      {back}
      <ConnectionLine connection={connection} />
      {entry === undefined ? (
        <p class="emptiness dim">
          {isKnown ? `The server does not list “${name}” any more.` : 'Waiting for the list …'}
        </p>
      ) : (
        <Page key={`${connection.id} ${kind} ${name}`} connection={connection} entry={entry} />
      )}
    </main>
  );
}
