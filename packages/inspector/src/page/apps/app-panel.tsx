import type { AppHostOptions } from '@ccmcp/core/apps-host';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import type { Connection } from '../../shared/connections.ts';
import { isRecord, type Json } from '../../shared/json.ts';
import { Button } from '../components/controls.tsx';
import { fetchJson } from '../model/api.ts';
import type { Call } from '../model/app-state.ts';
import { type Entry, fetchEntries, useEntries } from '../model/entries.ts';
import { openedRecording } from '../model/route.ts';
import { getAppState, getLiveState, useAppState } from '../model/store.ts';
import { useFullResult } from '../model/use-full-result.ts';
import { AppControls } from './app-controls.tsx';
import { AppInstance, closeView, type Finding, type PermissionRequest } from './app-instance.ts';
import { createRecordedServer, createViewSampler, createViewServer } from './view-server.ts';
import { getSandboxSettings, hostSettings, pageTheme, toHostContext } from './view-settings.ts';
import { JsonTree } from '../content/json-tree.tsx';
import { AppMessages } from './app-messages.tsx';

/** The view of a tool for one call, in a sandbox, with its controls and reports. */
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
  // In a layout effect: cleanup runs while the container exists, so the view can be notified before its removal.
  useLayoutEffect(() => {
    const container = stage.current;
    if (container === null || sandboxUrl === '') return undefined;
    let shown: AppInstance | undefined;
    let isUnmounted = false;
    const noteRejection = (method: string, params: object) =>
      shown?.addNote('not in the recording, so it was refused', `${method} ${JSON.stringify(params).slice(0, 200)}`);
    const show = async () => {
      const { appHost } = await import('@ccmcp/core/apps-host');
      if (isUnmounted) return;
      shown = new AppInstance(appHost, {
        container,
        sandboxUrl,
        server: isRecorded ? createRecordedServer(getAppState(), call, noteRejection) : createViewServer(connection.id),
        tool: entry.raw as unknown as NonNullable<AppHostOptions['tool']>,
        callId: call.start.call,
        tools: () => tools.current.map(({ raw }) => raw as never),
        resources: async () => (await fetchEntries(connection.id, 'resources')).map(({ raw }) => raw as never),
        hostInfo: { name: 'ccmcp-inspector', version },
        context: toHostContext(hostSettings.value, 'inline'),
        ...sandboxSettings,
        ...(connection.settings.sampling !== false && !isRecorded && { sample: createViewSampler(connection.id) }),
      });
      setApp(shown);
    };
    void show();
    return () => {
      isUnmounted = true;
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

/** Sends input and result of the call to the view. */
function useSendCall(app: AppInstance | undefined, call: Call): void {
  const args = useToolArguments(call);
  const result = useFullResult(call);
  const outcome = call.end?.outcome;
  const why = call.end?.error?.message;
  useEffect(() => {
    if (app !== undefined && args !== undefined) app.view.toolInput(args);
  }, [app, args]);
  useEffect(() => {
    if (app === undefined || args === undefined || outcome === undefined) return;
    if (why !== undefined) app.view.toolCancelled(why);
    else if (result !== undefined) app.view.toolResult(result as object);
  }, [app, args, result, outcome]);
}

/** Sends the host context to the view whenever it changes. */
function useSendContext(app: AppInstance | undefined, stage: RefObject<HTMLElement | null>): void {
  const host = hostSettings.value;
  const theme = pageTheme();
  const mode = app?.mode.value;
  const lastSent = useRef(app);
  const [windowSize, setWindowSize] = useState('');
  useEffect(() => {
    const onResize = () => setWindowSize(`${innerWidth} ${innerHeight}`);
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  useEffect(() => {
    const isNew = lastSent.current !== app;
    lastSent.current = app;
    if (app === undefined || mode === undefined || isNew || app.state.value === 'closed') return;
    if (mode === 'inline') app.fitInline();
    app.view.changeContext(toHostContext(host, mode, stage.current));
  }, [app, host, theme, mode, windowSize]);
}

/** Notifies the view of changed lists, once the page has loaded them. */
function useListChanges(app: AppInstance | undefined, connection: string): void {
  const { lists } = useAppState('lists');
  const version = (kind: string) => lists.get(`${connection}/${kind}`)?.version;
  useChange(app, 'tools', useEntries(connection, 'tools'));
  useChange(app, 'resources', `${version('resources')} ${version('templates')}`);
  useChange(app, 'prompts', version('prompts'));
}

function useChange(app: AppInstance | undefined, list: 'tools' | 'resources' | 'prompts', now: unknown): void {
  const lastSent = useRef({ app, now });
  useEffect(() => {
    const isSame = lastSent.current.app === app && lastSent.current.now === now;
    const isFirst = lastSent.current.app !== app || lastSent.current.now === undefined;
    lastSent.current = { app, now };
    if (!isSame && !isFirst) app?.view.listChanged(list);
  }, [app, now]);
}

type Arguments = Readonly<Record<string, unknown>>;

/** Full arguments of a tool call, once loaded. */
function useToolArguments({ start }: Call): Arguments | undefined {
  const [args, setArgs] = useState<Arguments | undefined>();
  useEffect(() => {
    const take = (params: unknown) => {
      const given = isRecord(params) ? params.arguments : undefined;
      setArgs(isRecord(given) ? given : {});
    };
    if (!start.truncated) take(JSON.parse(start.params));
    else
      fetchJson<FullCall>(apiPaths.call(start.call)).then(
        ({ params }) => take(params),
        // Arguments that were evicted, or too long for the recording, can't be sent.
        () => {},
      );
  }, [start.call]);
  return args;
}

/** The view of a recorded call; shown on request only, since a recording may come from anybody. */
export function RecordedApp({ connection, entry, call }: { connection: Connection; entry: Entry; call: Call }) {
  const [isRequested, setRequested] = useState(false);
  if (isRequested) return <AppPanel connection={connection} entry={entry} call={call} />;
  return (
    <div class="box line">
      <span class="grow">
        This call had a view. It is shown again with what it was told then, in the same sandbox, and its calls are
        answered from the recording.
      </span>
      <Button onClick={() => setRequested(true)}>Show the view</Button>
    </div>
  );
}

/** Permission requests, findings, logs and messages of a view. */
function AppReports({ app }: { app: AppInstance }) {
  const { permissionRequests, findings, logs, modelContext } = app;
  return (
    <div class="app-reports">
      {permissionRequests.value.map((request, index) => (
        <PermissionCard key={index} request={request} />
      ))}
      {findings.value.length === 0 ? null : (
        <ul class="app-findings" aria-label="Stopped or wrong">
          {findings.value.map((finding) => (
            <FindingRow key={`${finding.what} ${finding.detail}`} finding={finding} />
          ))}
        </ul>
      )}
      {logs.value.length === 0 ? null : (
        <ul class="app-findings" aria-label="Log of the view">
          {logs.value.map(({ n, level, logger, text }) => (
            <li key={n}>
              <span class="dim">
                {level} {logger}
              </span>{' '}
              <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      {modelContext.value === undefined ? null : (
        <JsonTree value={modelContext.value as unknown as Json} depth={0} name="for the model" />
      )}
      <AppMessages app={app} />
    </div>
  );
}

function PermissionCard({ request: { wants, detail, verb, answer } }: { request: PermissionRequest }) {
  return (
    <div class="question" role="group" aria-label={`The view ${wants}`}>
      <p>
        The view <strong>{wants}</strong>
      </p>
      <pre>{detail}</pre>
      <div class="line">
        <Button isPrimary onClick={() => answer(true)}>
          {verb}
        </Button>
        <Button onClick={() => answer(false)}>Refuse</Button>
      </div>
    </div>
  );
}

function FindingRow({ finding: { what, detail, advice, isError, times } }: { finding: Finding }) {
  return (
    <li>
      <span class={isError ? 'bad' : 'note'}>
        {isError ? '✕' : '▲'} {what}
      </span>{' '}
      <code>{detail}</code> {times > 1 ? <span class="dim">× {times}</span> : null}
      {advice === undefined ? null : (
        <p>
          <span class="dim">To allow it:</span> <code class="advice">{advice}</code>
        </p>
      )}
    </li>
  );
}
