import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { AgainBar } from '../replay/call-toolbar.tsx';
import { ask } from '../model/api.ts';
import { openedRecording } from '../model/opened-recording.ts';
import { useWorld } from '../model/store.ts';
import type { Call, World } from '../model/app-state.ts';
import { withCommand } from '../palette/shortcuts-help.tsx';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { CallView } from '../result/call-view.tsx';

/** What is called, and how. */
export interface Callable {
  readonly connection: Connection;
  readonly method: string;
  readonly subject: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The word on the button. */
  readonly verb: string;
  /** Why it can't be called now. */
  readonly obstacle?: string | undefined;
  /** How many problems the arguments have: they are shown before it is called all the same. */
  readonly problems?: number;
  onTried?: () => void;
}

/** Calls something, and shows its calls: the latest, and those before. */
export function useCalls({ connection, method, subject, params, obstacle, problems = 0, onTried }: Callable) {
  const world = useWorld('calls', 'questions', 'connections');
  const [at, setAt] = useState<string | undefined>();
  const [warned, setWarned] = useState(false);
  const asking = useAsking();
  const key = `${connection.id} ${method} ${subject}`;
  useEffect(() => {
    setAt(undefined);
    setWarned(false);
  }, [key]);
  const calls = callsOf(world, connection.id, method, subject);
  const shown = calls.find(({ start }) => start.call === at) ?? calls.at(-1);
  const cant =
    openedRecording.value !== undefined
      ? 'This is a recording.'
      : connection.status.is === 'connected'
        ? obstacle
        : 'Not connected.';
  const call = () => {
    if (cant !== undefined) return;
    onTried?.();
    if (problems > 0 && !warned) return setWarned(true);
    setWarned(false);
    setAt(undefined);
    asking.run(() => ask('call', { connection: connection.id, method, params }));
  };
  const isAsked = shown?.questions.some((id) => world.questions.get(id)?.end === undefined) === true;
  return { calls, shown, isAsked, show: setAt, call, cant, isWarned: warned && problems > 0, asking };
}

/** The button that calls. */
export function CallButton({
  verb,
  calls: { call, cant, isWarned, isAsked, asking },
}: {
  verb: string;
  calls: ReturnType<typeof useCalls>;
}) {
  return (
    <button
      type="button"
      id="call"
      class={`button ${isAsked ? '' : 'primary'}`}
      disabled={cant !== undefined || asking.busy}
      title={cant ?? withCommand('Enter')}
      onClick={call}
    >
      ▶ {isWarned ? `${verb} anyway` : verb}
    </button>
  );
}

/** The result of the shown call, and what can be done with it. */
export function CallResults({
  calls,
  callable,
  view,
}: {
  calls: ReturnType<typeof useCalls>;
  callable: Callable;
  /** Shows a call as its server wants it shown. */
  view?: ((call: Call) => ComponentChildren) | undefined;
}) {
  const { calls: all, shown, show, asking } = calls;
  return (
    <section class="results" aria-label="Result">
      <ProblemBox error={asking.error} />
      {shown === undefined ? null : (
        <>
          <AgainBar call={shown} all={all} onShow={show} callable={callable} />
          <CallView key={shown.start.call} call={shown} view={view?.(shown)} />
        </>
      )}
    </section>
  );
}

/** The calls that the page made of one thing, oldest first. */
function callsOf({ calls }: World, connection: string, method: string, subject: string): readonly Call[] {
  const found: Call[] = [];
  for (const call of calls.values()) {
    const { start } = call;
    if (start.by === 'page' && start.connection === connection && start.method === method && start.subject === subject)
      found.push(call);
  }
  return found;
}
