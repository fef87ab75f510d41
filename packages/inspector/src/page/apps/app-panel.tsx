import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AppHostOptions } from '@ccmcp/core/apps-host';
import type { Connection } from '../../shared/connections.ts';
import { fetchEntries, type Entry, useEntries } from '../model/entries.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { getLiveState, getAppState, useAppState } from '../model/store.ts';
import type { Call } from '../model/app-state.ts';
import { useFullResult } from '../result/use-full-result.ts';
import { AppControls } from './app-controls.tsx';
import { AppReports } from './app-reports.tsx';
import { getSandboxSettings } from './sandbox-settings.ts';
import { closeView } from './close-view.ts';
import { toHostContext, hostSettings, pageTheme } from './host-context.ts';
import { createRecordedServer } from './recorded-server.ts';
import { createViewSampler, createViewServer } from './view-server.ts';
import { AppInstance } from './app-instance.ts';
import { useToolArguments } from './use-tool-arguments.ts';
import { useListChanges } from './use-list-changes.ts';

/** The view of a tool, with the result of a call: in a sandbox, with what it is told and what it does. */
export function AppPanel({ connection, entry, call }: { connection: Connection; entry: Entry; call: Call }) {
  const stage = useRef<HTMLDivElement>(null);
  const [app, setApp] = useState<AppInstance | undefined>();
  const [round, setRound] = useState(0);
  const sandboxSettings = getSandboxSettings(connection.id, entry.id);
  const isRecorded = openedRecording.value !== undefined;
  const tools = useRef<readonly Entry[]>([]);
  tools.current = useEntries(connection.id, 'tools') ?? [];
  useAppState('hello', 'calls');
  const { version = '', sandbox: sandboxUrl = '' } = getLiveState().hello ?? {};
  // Its end comes while its place is still there: a view is told before it is removed.
  useLayoutEffect(() => {
    const container = stage.current;
    if (container === null || sandboxUrl === '') return undefined;
    let shown: AppInstance | undefined;
    let isLeft = false;
    const refused = (method: string, params: object) =>
      shown?.addNote('not in the recording, so it was refused', `${method} ${JSON.stringify(params).slice(0, 200)}`);
    const show = async () => {
      const { appHost } = await import('@ccmcp/core/apps-host');
      if (isLeft) return;
      shown = new AppInstance(appHost, {
        container,
        sandboxUrl,
        server: isRecorded ? createRecordedServer(getAppState(), call, refused) : createViewServer(connection.id),
        tool: entry.raw as unknown as NonNullable<AppHostOptions['tool']>,
        callId: call.start.call,
        tools: () => tools.current.map(({ raw }) => raw as never),
        resources: async () => (await fetchEntries(connection.id, 'resources')).map(({ raw }) => raw as never),
        hostInfo: { name: 'ccmcp-inspector', version },
        context: toHostContext(hostSettings.value, 'inline'),
        ...sandboxSettings,
        ...(connection.terms.sampling !== false && !isRecorded && { sample: createViewSampler(connection.id) }),
      });
      setApp(shown);
    };
    void show();
    return () => {
      isLeft = true;
      if (shown !== undefined) closeView(shown.view, container);
    };
  }, [round, sandboxSettings]);
  useSendCall(app, call);
  useListChanges(app, connection.id);
  useSendContext(app, stage);
  const mode = app?.mode.value ?? 'inline';
  const state = app?.state.value ?? 'starting';
  const { width } = hostSettings.value;
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
function useSendCall(app: AppInstance | undefined, call: Call): void {
  const args = useToolArguments(call);
  const result = useFullResult(call);
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
function useSendContext(app: AppInstance | undefined, stage: RefObject<HTMLElement | null>): void {
  const place = hostSettings.value;
  const theme = pageTheme();
  const mode = app?.mode.value;
  const lastSent = useRef(app);
  const [windowSize, setWindowSize] = useState('');
  useEffect(() => {
    const resized = () => setWindowSize(`${innerWidth} ${innerHeight}`);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  useEffect(() => {
    const isNew = lastSent.current !== app;
    lastSent.current = app;
    if (app === undefined || mode === undefined || isNew || app.state.value === 'gone') return;
    if (mode === 'inline') app.fitInline();
    app.view.changeContext(toHostContext(place, mode, stage.current));
  }, [app, place, theme, mode, windowSize]);
}
