import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AppHostOptions } from '@ccmcp/core/apps-host';
import type { Connection } from '../../shared/connections.ts';
import { entriesNow, type Entry, useEntries } from '../model/entries.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { liveWorld, theWorld, useWorld } from '../model/store.ts';
import type { Call } from '../model/app-state.ts';
import { useWholeResult } from '../result/use-full-result.ts';
import { AppControls } from './app-controls.tsx';
import { AppReports } from './app-reports.tsx';
import { holdOf } from './sandbox-settings.ts';
import { leaveView } from './close-view.ts';
import { contextOf, placeOfViews, themeOfPage } from './host-context.ts';
import { recordedServer } from './recorded-server.ts';
import { samplesForView, serverOfView } from './view-server.ts';
import { ShownApp } from './app-instance.ts';
import { useArguments } from './use-tool-arguments.ts';
import { useListChanges } from './use-list-changes.ts';

/** The view of a tool, with the result of a call: in a sandbox, with what it is told and what it does. */
export function AppPanel({ connection, entry, call }: { connection: Connection; entry: Entry; call: Call }) {
  const stage = useRef<HTMLDivElement>(null);
  const [app, setApp] = useState<ShownApp | undefined>();
  const [round, setRound] = useState(0);
  const hold = holdOf(connection.id, entry.id);
  const isRecorded = openedRecording.value !== undefined;
  const tools = useRef<readonly Entry[]>([]);
  tools.current = useEntries(connection.id, 'tools') ?? [];
  useWorld('hello', 'calls');
  const { version = '', sandbox: sandboxUrl = '' } = liveWorld().hello ?? {};
  // Its end comes while its place is still there: a view is told before it is removed.
  useLayoutEffect(() => {
    const container = stage.current;
    if (container === null || sandboxUrl === '') return undefined;
    let shown: ShownApp | undefined;
    let isLeft = false;
    const refused = (method: string, params: object) =>
      shown?.note('not in the recording, so it was refused', `${method} ${JSON.stringify(params).slice(0, 200)}`);
    const show = async () => {
      const { appHost } = await import('@ccmcp/core/apps-host');
      if (isLeft) return;
      shown = new ShownApp(appHost, {
        container,
        sandboxUrl,
        server: isRecorded ? recordedServer(theWorld(), call, refused) : serverOfView(connection.id),
        tool: entry.raw as unknown as NonNullable<AppHostOptions['tool']>,
        callId: call.start.call,
        tools: () => tools.current.map(({ raw }) => raw as never),
        resources: async () => (await entriesNow(connection.id, 'resources')).map(({ raw }) => raw as never),
        hostInfo: { name: 'ccmcp-inspector', version },
        context: contextOf(placeOfViews.value, 'inline'),
        ...hold,
        ...(connection.terms.sampling !== false && !isRecorded && { sample: samplesForView(connection.id) }),
      });
      setApp(shown);
    };
    void show();
    return () => {
      isLeft = true;
      if (shown !== undefined) leaveView(shown.view, container);
    };
  }, [round, hold]);
  useTelling(app, call);
  useListChanges(app, connection.id);
  useContext(app, stage);
  const mode = app?.mode.value ?? 'inline';
  const state = app?.state.value ?? 'starting';
  const { width } = placeOfViews.value;
  return (
    <section class={`app is-${mode}`} aria-label="View">
      <AppControls app={app} entry={entry} connection={connection} onReload={() => setRound(round + 1)} />
      {sandboxUrl === '' ? <p class="bad">No port was free for the sandbox: views can't be shown.</p> : null}
      <div
        class={`app-stage is-${state}`}
        ref={stage}
        style={{ width: mode === 'inline' && width > 0 ? `${width}px` : '' }}
      />
      {app === undefined ? null : <AppReports app={app} />}
    </section>
  );
}

/** Tells a view of its call: the input at once, the result when it is there. */
function useTelling(app: ShownApp | undefined, call: Call): void {
  const args = useArguments(call);
  const result = useWholeResult(call);
  const outcome = call.end?.outcome;
  const why = call.end?.error?.says;
  useEffect(() => {
    if (app !== undefined && args !== undefined) app.view.toolInput(args);
  }, [app, args]);
  useEffect(() => {
    if (app === undefined || args === undefined || outcome === undefined) return;
    if (why !== undefined) app.view.toolCancelled(why);
    else if (result !== undefined) app.view.toolResult(result as object);
  }, [app, args, result, outcome]);
}

/** Tells a view of its place whenever that is another. */
function useContext(app: ShownApp | undefined, stage: RefObject<HTMLElement | null>): void {
  const place = placeOfViews.value;
  const theme = themeOfPage();
  const mode = app?.mode.value;
  const told = useRef(app);
  const [windowSize, setWindowSize] = useState('');
  useEffect(() => {
    const resized = () => setWindowSize(`${innerWidth} ${innerHeight}`);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  useEffect(() => {
    const isNew = told.current !== app;
    told.current = app;
    if (app === undefined || mode === undefined || isNew || app.state.value === 'gone') return;
    if (mode === 'inline') app.fitInline();
    app.view.changeContext(contextOf(place, mode, stage.current));
  }, [app, place, theme, mode, windowSize]);
}
