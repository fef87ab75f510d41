import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Connection } from '../shared/connections.ts';
import type { ListKind } from '../shared/lists.ts';
import { LibraryPage } from './recordings/library-page.tsx';
import { Detail } from './detail/detail.tsx';
import { ListColumn } from './lists/list-column.tsx';
import { ListenPage } from './subscriptions/listen-page.tsx';
import { chosenConnection } from './model/selectors.ts';
import { openedRecording } from './model/opened-recording.ts';
import { leadToServer } from './model/initial-route.ts';
import { addressOf, goTo, type Place, place } from './model/route.ts';
import { settings } from './model/settings.ts';
import { isUpToDate, useWorld } from './model/store.ts';
import { isUntouched } from './model/selectors.ts';
import { Notices } from './notices.tsx';
import { KeysHelp } from './palette/shortcuts-help.tsx';
import { followKeys } from './palette/shortcuts.ts';
import { Palette } from './palette/palette.tsx';
import { floating } from './palette/dialog.tsx';
import { Edge } from './components/resize-handle.tsx';
import { Guarded } from './components/error-boundary.tsx';
import { useKeptScroll } from './components/use-tab-state.ts';
import { StrayQuestions } from './questions/question-tray.tsx';
import { ConnectionPage } from './connection/connection-page.tsx';
import { AddServer } from './server-list/add-server.tsx';
import { MissingServer } from './server-list/missing-server.tsx';
import { ServersColumn } from './server-list/servers-column.tsx';
import { SessionsPage } from './compare/compare-page.tsx';
import { SkillsPage } from './skills/skills-page.tsx';
import { TasksPage } from './tasks/tasks-page.tsx';
import { Timeline } from './timeline/timeline.tsx';

/** The whole page: servers, list, detail, and the timeline below. */
export function Workbench() {
  const world = useWorld('connections');
  const connection = chosenConnection(world);
  const { servers, list, timeline, timelineIs } = settings.value;
  const isStrip = timelineIs === 'strip' && !isUntouched(world);
  const here = place.value;
  const scroller = useKeptScroll();
  useEffect(followKeys, []);
  // Before anything is drawn: the page does not begin at one place and jump to another.
  useLayoutEffect(() => {
    if (isUpToDate.value && openedRecording.value === undefined) leadToServer(world);
  });
  const kind = listKind(here);
  const lookedAt = `${openedRecording.value ?? ''} ${addressOf(here)}`;
  const withList = connection?.server !== undefined && kind !== undefined;
  const page =
    here.server === undefined && world.connections.size > 0
      ? 'servers'
      : withList && here.name === undefined
        ? 'list'
        : 'content';
  return (
    <div
      class={`workbench ${timelineIs === 'full' && !isUntouched(world) ? 'timeline-full' : ''}`}
      data-page={page}
      style={{
        '--servers-width': `${servers}px`,
        '--list-width': `${list}px`,
        '--timeline-height': isStrip ? `min(${timeline}px, 45vh)` : '36px',
      }}
    >
      <Notices />
      <Guarded name="column servers-column" lookedAt={lookedAt}>
        <ServersColumn />
      </Guarded>
      <Edge of="servers" label="Width of the servers" />
      {withList ? (
        <>
          <Guarded name="column" lookedAt={lookedAt}>
            <ListColumn key={`${connection.id} ${kind}`} connection={connection} kind={kind} />
          </Guarded>
          <Edge of="list" label="Width of the list" />
          <Guarded name="content" lookedAt={lookedAt}>
            <Detail connection={connection} kind={kind} />
          </Guarded>
        </>
      ) : (
        <main class="content wide" aria-label="Content" ref={scroller}>
          {here.server === undefined ? null : (
            <button type="button" class="back" onClick={() => goTo({})}>
              ‹ Servers
            </button>
          )}
          <Guarded name="page" lookedAt={lookedAt}>
            <WideContent connection={connection} here={here} />
          </Guarded>
        </main>
      )}
      {isStrip ? <Edge of="timeline" label="Height of the timeline" /> : null}
      <Guarded name="column" lookedAt={lookedAt}>
        <Timeline />
      </Guarded>
      <Guarded name="box" lookedAt={lookedAt}>
        <StrayQuestions />
      </Guarded>
      {floating.value === 'palette' ? <Palette /> : null}
      {floating.value === 'keys' ? <KeysHelp /> : null}
    </div>
  );
}

function WideContent({ connection, here }: { connection: Connection | undefined; here: Place }) {
  if (here.server === undefined && !isUpToDate.value) return <p class="emptiness dim">Waiting for the inspector …</p>;
  if (here.server === undefined || here.server === '+')
    return openedRecording.value === undefined ? <AddServer /> : <LibraryPage />;
  if (here.server === '~') return here.section === 'compare' ? <SessionsPage /> : <LibraryPage />;
  if (connection === undefined) return <MissingServer label={here.server} />;
  if (here.section === 'listen' && connection.server !== undefined)
    return <ListenPage key={connection.id} connection={connection} />;
  if (here.section === 'skills' && connection.server !== undefined)
    return <SkillsPage key={connection.id} connection={connection} />;
  if (here.section === 'tasks' && connection.server !== undefined)
    return <TasksPage key={connection.id} connection={connection} />;
  return <ConnectionPage key={connection.id} connection={connection} />;
}

function listKind({ section }: Place): ListKind | undefined {
  return section === 'tools' || section === 'resources' || section === 'templates' || section === 'prompts'
    ? section
    : undefined;
}
