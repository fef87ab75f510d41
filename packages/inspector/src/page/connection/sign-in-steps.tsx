import { useState } from 'preact/hooks';
import type { Connection } from '../../shared/connections.ts';
import { type SignInStep, signInSteps } from '../../shared/diagnostics.ts';
import { Button } from '../components/controls.tsx';
import { ProblemBox, useRequest } from '../components/use-request.tsx';
import { request } from '../model/api.ts';
import type { SignInFlow } from '../model/diagnostics.ts';
import { useAppState } from '../model/store.ts';
import { webHost } from '../questions/elicitation.tsx';
import { Exchanges, HeaderTable } from './exchange-view.tsx';

const titles = {
  challenge: 'Server challenge',
  'resource-metadata': 'Resource metadata',
  'server-metadata': 'Authorization server',
  registration: 'Registration',
  authorization: 'Your consent',
  token: 'Token',
  use: 'Token check',
} as const;

const shapes = { running: '◐', ok: '✓', note: '▲', wrong: '✕', skipped: '–' } as const;
const tones = { running: 'dim turning', ok: 'ok', note: 'note', wrong: 'bad', skipped: 'dim' } as const;

/** The OAuth flow, step by step, with each request and its problems. */
export function SignInSteps({ connection }: { connection: Connection }) {
  const { signIns } = useAppState('findings').diagnostics;
  const [client, setClient] = useState({ clientId: '', clientSecret: '', scope: '' });
  const pending = useRequest();
  if (connection.kind !== 'url') return null;
  const flow = [...signIns.values()].findLast(({ state }) => state.connection === connection.id);
  const isOpen = flow !== undefined && ['running', 'ready', 'waiting'].includes(flow.state.status);
  const isRequired = connection.status.is === 'needs-sign-in';
  if (!isRequired && flow === undefined) return null;
  const given = Object.fromEntries(Object.entries(client).filter(([, value]) => value !== ''));
  const begin = (steps: boolean) =>
    pending.run(() => request('sign-in', { connection: connection.id, steps, ...given }));
  return (
    <section class="block" aria-label="Sign in">
      <div class="line">
        <Button isPrimary={isRequired && !isOpen} disabled={pending.busy || isOpen} onClick={() => begin(false)}>
          {flow?.state.status === 'done' ? 'Sign in again' : 'Sign in'}
        </Button>
        <Button disabled={pending.busy || isOpen} onClick={() => begin(true)}>
          Step by step
        </Button>
        {flow?.state.status === 'done' ? (
          <Button onClick={() => pending.run(() => request('sign-out', { connection: connection.id }))}>
            Sign out
          </Button>
        ) : null}
        {isOpen ? (
          <Button onClick={() => pending.run(() => request('sign-in-cancel', { flow: flow.state.flow }))}>
            Cancel
          </Button>
        ) : null}
      </div>
      {isRequired && !isOpen ? (
        <details>
          <summary class="dim">Registered client, other scopes</summary>
          <div class="options">
            {(['clientId', 'clientSecret', 'scope'] as const).map((name) => (
              <ClientInput
                key={name}
                name={name}
                value={client[name]}
                onChange={(value) => setClient({ ...client, [name]: value })}
              />
            ))}
          </div>
        </details>
      ) : null}
      <ProblemBox error={pending.error} />
      {flow === undefined ? null : (
        <FlowSteps
          flow={flow}
          busy={pending.busy}
          onNext={() => pending.run(() => request('sign-in-next', { flow: flow.state.flow }))}
        />
      )}
    </section>
  );
}

const labels = { clientId: 'Client id', clientSecret: 'Client secret', scope: 'Scope' } as const;

function ClientInput({
  name,
  value,
  onChange,
}: {
  name: keyof typeof labels;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <>
      <label for={`sign-in-${name}`}>{labels[name]}</label>
      <input
        id={`sign-in-${name}`}
        class="input mono"
        autocomplete="off"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}

function FlowSteps({ flow: { state, steps }, busy, onNext }: { flow: SignInFlow; busy: boolean; onNext: () => void }) {
  return (
    <ol class="steps">
      {signInSteps.map((name) => {
        const step = steps.get(name);
        const isNext = state.step === name && (state.status === 'ready' || state.status === 'waiting');
        return (
          <li key={name} class={step === undefined && !isNext ? 'waiting' : ''}>
            <span
              class={`mark ${step === undefined ? 'dim' : tones[step.status]}`}
              role="img"
              aria-label={step?.status ?? 'to come'}
            >
              {step === undefined ? '·' : shapes[step.status]}
            </span>
            <span>{titles[name]}</span>
            <span class="says">{step?.message ?? ''}</span>
            <span />
            <div class="more">
              {isNext && state.status === 'ready' ? (
                <div>
                  <Button isPrimary disabled={busy} onClick={onNext} autofocus>
                    Next: {titles[name].toLowerCase()}
                  </Button>
                </div>
              ) : null}
              {isNext && state.open !== undefined ? (
                <>
                  {webHost(state.open) !== undefined ? (
                    <p>
                      <a class="button primary" href={state.open} target="_blank" rel="noopener noreferrer">
                        Open the sign-in page
                      </a>
                    </p>
                  ) : null}
                  <code class="dim">{state.open}</code>
                </>
              ) : null}
              {step === undefined ? null : <StepDetails step={step} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function StepDetails({ step: { advice, facts, exchanges } }: { step: SignInStep }) {
  return (
    <>
      {advice === undefined ? null : <p>{advice}</p>}
      {facts.length === 0 ? null : <HeaderTable headers={facts} />}
      <Exchanges ids={exchanges} />
    </>
  );
}

/** Offers the OAuth flow for a server that does not require it. */
export function SignInOffer({ connection: { id, kind, status } }: { connection: Connection }) {
  const { signIns } = useAppState('findings').diagnostics;
  const pending = useRequest();
  const hasFlow = [...signIns.values()].some(({ state }) => state.connection === id);
  if (kind !== 'url' || status.is !== 'connected' || hasFlow) return null;
  return (
    <>
      <Button pending={pending} run={() => request('sign-in', { connection: id, steps: true })}>
        Sign in with OAuth, step by step
      </Button>
      <ProblemBox error={pending.error} />
    </>
  );
}
