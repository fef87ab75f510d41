import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import type { AppState, Call } from '../model/app-state.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { formatShortcut } from '../palette/shortcuts.tsx';
import { CallToolbar } from '../result/call-toolbar.tsx';
import { CallView } from '../result/call-view.tsx';

/** A request that can be called. */
export interface CallTarget {
  readonly connection: Connection;
  readonly method: string;
  readonly subject: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Label of the button. */
  readonly verb: string;
  /** Why it can't be called now. */
  readonly blockedBy?: string | undefined;
  /** Number of problems in the arguments: the first click shows them, the second calls anyway. */
  readonly problems?: number;
  onAttempt?: () => void;
}

/** Calls a request, and selects one of its calls to show. */
export function useCalls({ connection, method, subject, params, blockedBy, problems = 0, onAttempt }: CallTarget) {
  const appState = useAppState('calls', 'questions', 'connections');
  const [at, setAt] = useState<string | undefined>();
  const [warned, setWarned] = useState(false);
  const pending = useRequest();
  const key = `${connection.id} ${method} ${subject}`;
  useEffect(() => {
    setAt(undefined);
    setWarned(false);
  }, [key]);
  const calls = findCalls(appState, connection.id, method, subject);
  const shown = calls.find(({ start }) => start.call === at) ?? calls.at(-1);
  const cant =
    openedRecording.value !== undefined
      ? 'This is a recording.'
      : connection.status.is === 'connected'
        ? blockedBy
        : 'Not connected.';
  const call = () => {
    if (cant !== undefined) return;
    onAttempt?.();
    if (problems > 0 && !warned) return setWarned(true);
    setWarned(false);
    setAt(undefined);
    pending.run(() => request('call', { connection: connection.id, method, params }));
  };
  const isAsked = shown?.questions.some((id) => appState.questions.get(id)?.end === undefined) === true;
  return { calls, shown, isAsked, show: setAt, call, cant, isWarned: warned && problems > 0, pending };
}

/** The button that calls. */
export function CallButton({
  verb,
  calls: { call, cant, isWarned, isAsked, pending },
}: {
  verb: string;
  calls: ReturnType<typeof useCalls>;
}) {
  return (
    <Button
      id="call"
      isPrimary={!isAsked}
      disabled={cant !== undefined || pending.busy}
      title={cant ?? formatShortcut('Enter')}
      onClick={call}
    >
      ▶ {isWarned ? `${verb} anyway` : verb}
    </Button>
  );
}

/** Result of the selected call, with its toolbar. */
export function CallResults({
  calls,
  view,
}: {
  calls: ReturnType<typeof useCalls>;
  /** Renders the tool's own view of a call. */
  view?: ((call: Call) => ComponentChildren) | undefined;
}) {
  const { calls: all, shown, show, pending } = calls;
  return (
    <section class="results" aria-label="Result">
      <ProblemBox error={pending.error} />
      {shown === undefined ? null : (
        <>
          <CallToolbar call={shown} all={all} onShow={show} />
          <CallView key={shown.start.call} call={shown} view={view?.(shown)} />
        </>
      )}
    </section>
  );
}

/** Calls that the page made to one subject, oldest first. */
function findCalls({ calls }: AppState, connection: string, method: string, subject: string): readonly Call[] {
  const found: Call[] = [];
  for (const call of calls.values()) {
    const { start } = call;
    if (start.by === 'page' && start.connection === connection && start.method === method && start.subject === subject)
      found.push(call);
  }
  return found;
}
