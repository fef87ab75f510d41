import type { Connection } from '../../shared/connections.ts';
import type { ListKind } from '../../shared/lists.ts';
import { useScrollRestoration } from '../components/use-tab-state.ts';
import { ConnectionBanner } from '../connection/connection-state.tsx';
import { displayName } from '../model/display-name.ts';
import { idProperty, toEntry, useEntries } from '../model/entries.ts';
import { navigate, route } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { formatShortcut, ShortcutRows } from '../palette/shortcuts.tsx';
import { Markdown } from '../content/markdown.tsx';
import { PromptPage } from './prompt-page.tsx';
import { ResourcePage, TemplatePage } from './resource-page.tsx';
import { ToolPage } from './tool-page.tsx';

const shortcuts = [
  ['↑ ↓', 'move through the list'],
  ['/', 'filter it'],
  [formatShortcut('K'), 'search everything'],
  ['?', 'all keys'],
] as const;

/** Empty state of the detail column: the server's instructions and the main shortcuts. */
function EmptyDetail({ connection }: { connection: Connection }) {
  const { server } = connection;
  const { info, instructions } = server ?? {};
  return (
    <div class="empty-detail">
      <h1>
        {info?.title ?? info?.name ?? displayName(connection)} <span class="dim">{info?.version}</span>
      </h1>
      {instructions === undefined || instructions === '' ? null : <Markdown text={instructions} />}
      <dl class="keys dim">
        <ShortcutRows keys={shortcuts} />
      </dl>
    </div>
  );
}

const names = { tools: 'Tools', resources: 'Resources', templates: 'Templates', prompts: 'Prompts' };
const pages = { tools: ToolPage, resources: ResourcePage, templates: TemplatePage, prompts: PromptPage };

/** The right column: the selected entry. */
export function Detail({ connection, kind }: { connection: Connection; kind: ListKind }) {
  const { lists } = useAppState('lists');
  const entries = useEntries(connection.id, kind);
  const { name } = route.value;
  const scroller = useScrollRestoration();
  const back = (
    <button type="button" class="back" onClick={() => navigate({ server: connection.label, section: kind })}>
      ‹ {names[kind]}
    </button>
  );
  if (name === undefined) {
    return (
      <main class="content" aria-label="Detail">
        {back}
        <ConnectionBanner connection={connection} />
        <EmptyDetail connection={connection} />
      </main>
    );
  }
  const listed = entries?.find(({ id }) => id === name);
  // Links may lead to resources that are not listed.
  const entry = listed ?? (kind === 'resources' ? toEntry(kind, { [idProperty[kind]]: name }, 0) : undefined);
  const Page = pages[kind];
  const isKnown = lists.get(`${connection.id}/${kind}`)?.state === 'loaded' && entries !== undefined;
  return (
    <main class="content" aria-label="Detail" ref={scroller}>
      {back}
      <ConnectionBanner connection={connection} />
      {entry === undefined ? (
        <p class="empty-text dim">{isKnown ? `The server no longer lists “${name}”.` : 'Loading the list …'}</p>
      ) : (
        <Page key={`${connection.id} ${kind} ${name}`} connection={connection} entry={entry} />
      )}
    </main>
  );
}
