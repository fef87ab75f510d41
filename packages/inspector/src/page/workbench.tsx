import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks';
import type { Connection } from '../shared/connections.ts';
import { type ListKind, listKinds } from '../shared/lists.ts';
import { ComparePage } from './compare/compare-page.tsx';
import { Button } from './components/controls.tsx';
import { ProblemBox } from './components/use-request.tsx';
import { useScrollRestoration } from './components/use-tab-state.ts';
import { ConnectionPage } from './connection/connection-page.tsx';
import { Detail } from './detail/detail.tsx';
import { ListColumn } from './lists/list-column.tsx';
import { formatRoute, navigate, navigateToComparison, openedRecording, type Route, route } from './model/route.ts';
import { isPristine, routeToFirstServer, selectedConnection } from './model/selectors.ts';
import { changeSettings, settings } from './model/settings.ts';
import { isUpToDate, showRecording, streamState, useAppState } from './model/store.ts';
import { openDialog } from './palette/dialog.tsx';
import { Palette } from './palette/palette.tsx';
import { listenForShortcuts, ShortcutsHelp } from './palette/shortcuts.tsx';
import { QuestionTray } from './questions/question-tray.tsx';
import { LibraryPage } from './recordings/library-page.tsx';
import { AddServer, MissingServer } from './server-list/add-server.tsx';
import { ServersColumn } from './server-list/servers-column.tsx';
import { SkillsPage } from './skills/skills-page.tsx';
import { ListenPage } from './subscriptions/listen-page.tsx';
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
  const resetKey = `${openedRecording.value ?? ''} ${formatRoute(here)}`;
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
      <ErrorBoundary name="column servers-column" resetKey={resetKey}>
        <ServersColumn />
      </ErrorBoundary>
      <ResizeHandle of="servers" label="Width of the servers" />
      {withList ? (
        <>
          <ErrorBoundary name="column" resetKey={resetKey}>
            <ListColumn key={`${connection.id} ${kind}`} connection={connection} kind={kind} />
          </ErrorBoundary>
          <ResizeHandle of="list" label="Width of the list" />
          <ErrorBoundary name="content" resetKey={resetKey}>
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
          <ErrorBoundary name="page" resetKey={resetKey}>
            <PageContent connection={connection} here={here} />
          </ErrorBoundary>
        </main>
      )}
      {isStrip ? <ResizeHandle of="timeline" label="Height of the timeline" /> : null}
      <ErrorBoundary name="column" resetKey={resetKey}>
        <Timeline />
      </ErrorBoundary>
      <ErrorBoundary name="box" resetKey={resetKey}>
        <QuestionTray />
      </ErrorBoundary>
      {openDialog.value === 'palette' ? <Palette /> : null}
      {openDialog.value === 'keys' ? <ShortcutsHelp /> : null}
    </div>
  );
}

function PageContent({ connection, here }: { connection: Connection | undefined; here: Route }) {
  if (here.server === undefined && !isUpToDate.value)
    return <p class="empty-text dim">Connecting to the inspector …</p>;
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
  return listKinds.find((kind) => kind === section);
}

/** Page-wide notices: the inspector is unreachable, or a recording is shown. */
function Notices() {
  if (openedRecording.value !== undefined) {
    return (
      <div class="notice" role="status">
        <span class="grow">
          This is the recording <code>{openedRecording.value}</code>.
        </span>
        <Button onClick={() => navigateToComparison({ label: '', file: openedRecording.value })}>Compare with …</Button>
        <Button onClick={() => showRecording(undefined, undefined)}>Back to live</Button>
      </div>
    );
  }
  if (streamState.value === 'refused') {
    return (
      <div class="notice bad-notice" role="alert">
        The inspector does not know this page. Open it with the address that `ccmcp inspect` wrote: it has the token.
      </div>
    );
  }
  if (streamState.value === 'lost') {
    return (
      <div class="notice bad-notice" role="alert">
        The inspector does not respond. Retrying; check that `ccmcp inspect` is still running.
      </div>
    );
  }
  return null;
}

/** Contains render errors of one part of the page: untrusted data may be malformed. Retries when the user navigates. */
function ErrorBoundary({
  name,
  resetKey,
  children,
}: {
  /** CSS class of the fallback element. */
  name: string;
  resetKey: string;
  children: ComponentChildren;
}) {
  const [error, retry] = useErrorBoundary();
  const tried = useRef(resetKey);
  // Not on mount: a retry would leave the half-rendered children without a message.
  useEffect(() => {
    if (tried.current !== resetKey) retry();
    tried.current = resetKey;
  }, [resetKey]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class={name}>
      <ProblemBox error="This can’t be displayed: the data is malformed." />
    </div>
  );
}

type Measure = 'servers' | 'list' | 'timeline';

const minSize: Readonly<Record<Measure, number>> = { servers: 140, list: 200, timeline: 96 };

/** A separator to drag, or to move with the arrow keys. */
function ResizeHandle({ of, label }: { of: Measure; label: string }) {
  const isFlat = of === 'timeline';
  const move = (by: number) => changeSettings({ [of]: clampSize(of, settings.value[of] + by) });
  return (
    <div
      class={`edge ${of}-edge ${isFlat ? 'flat' : ''}`}
      role="separator"
      aria-orientation={isFlat ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={settings.value[of]}
      aria-valuemin={minSize[of]}
      aria-valuemax={maxSize(of)}
      tabIndex={0}
      onPointerDown={(event) => drag(event, of)}
      onKeyDown={(event) => {
        const steps = { ArrowLeft: -16, ArrowRight: 16, ArrowUp: 16, ArrowDown: -16 } as Record<string, number>;
        const by = steps[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(by);
      }}
    />
  );
}

function drag(event: PointerEvent, of: Measure): void {
  const edge = event.currentTarget as HTMLElement;
  edge.setPointerCapture(event.pointerId);
  const before = settings.value[of];
  const { clientX, clientY } = event;
  const move = (now: PointerEvent) => {
    const by = of === 'timeline' ? clientY - now.clientY : now.clientX - clientX;
    changeSettings({ [of]: clampSize(of, before + by) });
  };
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}

function clampSize(of: Measure, value: number): number {
  return Math.round(Math.min(Math.max(value, minSize[of]), maxSize(of)));
}

function maxSize(of: Measure): number {
  return of === 'timeline' ? Math.max(minSize.timeline, innerHeight - 160) : Math.max(minSize[of], innerWidth * 0.45);
}
