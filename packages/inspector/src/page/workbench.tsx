import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { Connection } from '../shared/connections.ts';
import type { ListKind } from '../shared/lists.ts';
import { LibraryPage } from './recordings/library-page.tsx';
import { Detail } from './detail/detail.tsx';
import { ListColumn } from './lists/list-column.tsx';
import { ListenPage } from './subscriptions/listen-page.tsx';
import { selectedConnection } from './model/selectors.ts';
import { openedRecording } from './model/opened-recording.ts';
import { routeToFirstServer } from './model/initial-route.ts';
import { formatRoute, navigate, type Route, route } from './model/route.ts';
import { settings } from './model/settings.ts';
import { isUpToDate, useAppState } from './model/store.ts';
import { isPristine } from './model/selectors.ts';
import { Notices } from './notices.tsx';
import { ShortcutsHelp } from './palette/shortcuts-help.tsx';
import { listenForShortcuts } from './palette/shortcuts.ts';
import { Palette } from './palette/palette.tsx';
import { openDialog } from './palette/dialog.tsx';
import { ResizeHandle } from './components/resize-handle.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { useScrollRestoration } from './components/use-tab-state.ts';
import { QuestionTray } from './questions/question-tray.tsx';
import { ConnectionPage } from './connection/connection-page.tsx';
import { AddServer } from './server-list/add-server.tsx';
import { MissingServer } from './server-list/missing-server.tsx';
import { ServersColumn } from './server-list/servers-column.tsx';
import { ComparePage } from './compare/compare-page.tsx';
import { SkillsPage } from './skills/skills-page.tsx';
import { TasksPage } from './tasks/tasks-page.tsx';
import { Timeline } from './timeline/timeline.tsx';

/** The whole page: servers, list, detail, and the timeline below. */
export function Workbench() {
  const appState = useAppState('connections');
  const connection = selectedConnection(appState);
  const { servers, list, timeline, timelineIs } = settings.value;
  const isStrip = timelineIs === 'strip' && !isPristine(appState);
  const here = route.value;
  const scroller = useScrollRestoration();
  useEffect(listenForShortcuts, []);
  // In a layout effect: the page must not flash another route first.
  useLayoutEffect(() => {
    if (isUpToDate.value && openedRecording.value === undefined) routeToFirstServer(appState);
  });
  const kind = listKind(here);
  const lookedAt = `${openedRecording.value ?? ''} ${formatRoute(here)}`;
  const withList = connection?.server !== undefined && kind !== undefined;
  const page =
    here.server === undefined && appState.connections.size > 0
      ? 'servers'
      : withList && here.name === undefined
        ? 'list'
        : 'content';
  return (
    <div
      class={`workbench ${timelineIs === 'full' && !isPristine(appState) ? 'timeline-full' : ''}`}
      data-page={page}
      style={{
        '--servers-width': `${servers}px`,
        '--list-width': `${list}px`,
        '--timeline-height': isStrip ? `min(${timeline}px, 45vh)` : '36px',
      }}
    >
      <Notices />
      <ErrorBoundary name="column servers-column" lookedAt={lookedAt}>
        <ServersColumn />
      </ErrorBoundary>
      <ResizeHandle of="servers" label="Width of the servers" />
      {withList ? (
        <>
          <ErrorBoundary name="column" lookedAt={lookedAt}>
            <ListColumn key={`${connection.id} ${kind}`} connection={connection} kind={kind} />
          </ErrorBoundary>
          <ResizeHandle of="list" label="Width of the list" />
          <ErrorBoundary name="content" lookedAt={lookedAt}>
            <Detail connection={connection} kind={kind} />
          </ErrorBoundary>
        </>
      ) : (
        <main class="content wide" aria-label="Content" ref={scroller}>
          {here.server === undefined ? null : (
            <button type="button" class="back" onClick={() => navigate({})}>
              ‹ Servers
            </button>
          )}
          <ErrorBoundary name="page" lookedAt={lookedAt}>
            <PageContent connection={connection} here={here} />
          </ErrorBoundary>
        </main>
      )}
      {isStrip ? <ResizeHandle of="timeline" label="Height of the timeline" /> : null}
      <ErrorBoundary name="column" lookedAt={lookedAt}>
        <Timeline />
      </ErrorBoundary>
      <ErrorBoundary name="box" lookedAt={lookedAt}>
        <QuestionTray />
      </ErrorBoundary>
      {openDialog.value === 'palette' ? <Palette /> : null}
      {openDialog.value === 'keys' ? <ShortcutsHelp /> : null}
    </div>
  );
}

function PageContent({ connection, here }: { connection: Connection | undefined; here: Route }) {
  if (here.server === undefined && !isUpToDate.value) return <p class="emptiness dim">Connecting to the inspector …</p>;
  if (here.server === undefined || here.server === '+')
    return openedRecording.value === undefined ? <AddServer /> : <LibraryPage />;
  if (here.server === '~') return here.section === 'compare' ? <ComparePage /> : <LibraryPage />;
  if (connection === undefined) return <MissingServer label={here.server} />;
  if (here.section === 'listen' && connection.server !== undefined)
    return <ListenPage key={connection.id} connection={connection} />;
  if (here.section === 'skills' && connection.server !== undefined)
    return <SkillsPage key={connection.id} connection={connection} />;
  if (here.section === 'tasks' && connection.server !== undefined)
    return <TasksPage key={connection.id} connection={connection} />;
  return <ConnectionPage key={connection.id} connection={connection} />;
}

function listKind({ section }: Route): ListKind | undefined {
  return section === 'tools' || section === 'resources' || section === 'templates' || section === 'prompts'
    ? section
    : undefined;
}
