import type { Connection } from '../../shared/connections.ts';
import { Button } from '../components/controls.tsx';
import { formatDuration } from '../components/format.ts';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import { useAppState } from '../model/store.ts';
import { Exchanges } from './exchange-view.tsx';
import { SignInOffer } from './sign-in-steps.tsx';

const shapes = { ok: '✓', note: '▲', wrong: '✕' } as const;
const tones = { ok: 'ok', note: 'note', wrong: 'bad' } as const;

/** Runs the doctor on a connection, also on one that failed, and shows its steps. */
export function DoctorSteps({ connection }: { connection: Connection }) {
  const { doctorRuns } = useAppState('findings').diagnostics;
  const { kind, address } = connection;
  const isPossible = kind !== 'own' || address !== undefined;
  const label = address === undefined ? 'Diagnose the connection' : 'Diagnose its public URL';
  const pending = useRequest();
  const latest = [...doctorRuns.values()].findLast(({ start }) => start.connection === connection.id);
  const isRunning = latest !== undefined && latest.end === undefined;
  const failed = connection.status.is === 'failed';
  return (
    <section class="block" aria-label="Diagnosis">
      {latest === undefined ? null : (
        <>
          <Verdict run={latest} />
          <ol class="steps">
            {latest.steps.map(({ step, status, message, advice, ms, exchanges }) => (
              <li key={step}>
                <span class={`mark ${tones[status]}`} role="img" aria-label={status}>
                  {shapes[status]}
                </span>
                <span>{step}</span>
                <span class="says">{message}</span>
                <span class="dim small">{formatDuration(ms)}</span>
                {advice === undefined && exchanges.length === 0 ? null : (
                  <div class="more">
                    {advice === undefined ? null : <p>{advice}</p>}
                    <Exchanges ids={exchanges} />
                  </div>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      <div class="line">
        {isPossible ? (
          <Button
            isPrimary={failed && latest === undefined}
            pending={pending}
            disabled={isRunning}
            run={() => request('doctor', { connection: connection.id })}
          >
            {isRunning ? 'Diagnosing …' : latest !== undefined ? 'Diagnose again' : label}
          </Button>
        ) : (
          <p class="dim">It runs in the process of this inspector, so there is no connection to diagnose.</p>
        )}
        <SignInOffer connection={connection} />
        {isPossible && latest === undefined && address !== undefined ? (
          <span class="dim small">at {address}; here it is called in its own process</span>
        ) : null}
        {isPossible && latest === undefined && connection.status.is !== 'connected' ? (
          <span class="dim small">Checks name, port, TLS, endpoint, revision and streams.</span>
        ) : null}
      </div>
      <ProblemBox error={pending.error} />
    </section>
  );
}

function Verdict({ run: { end } }: { run: { end?: { problem?: { message: string; advice: string } } } }) {
  if (end === undefined) return null;
  if (end.problem === undefined) return <p class="ok">✓ No problems found.</p>;
  return (
    <div class="box bad-box" role="status">
      <p>
        <strong>{end.problem.message}</strong>
      </p>
      <p>{end.problem.advice}</p>
    </div>
  );
}
