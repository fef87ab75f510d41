import { useMemo, useState } from 'preact/hooks';
import type { CallError } from '../../shared/calls.ts';
import { isRecord, stringOrEmpty } from '../../shared/json.ts';
import type { Question } from '../../shared/questions.ts';
import { Button } from '../components/controls.tsx';
import { ProblemBox, type RequestState, useRequest } from '../components/use-request.tsx';
import { ArgumentsView, useValidation } from '../form/arguments-view.tsx';
import { withDefaults } from '../form/initial-value.ts';
import { request } from '../model/api.ts';
import type { Call } from '../model/app-state.ts';
import { getDraft } from '../model/drafts.ts';
import { replayCall } from '../model/replay.ts';

/** Error code: the server requires URL elicitations first. */
const urlElicitationRequired = -32042;

/** Pages that the server requires before a call, and a button to repeat the call. */
export function RequiredPages({ call, error }: { call: Call; error: CallError }) {
  const pending = useRequest();
  const pages = requiredPages(error);
  if (pages.length === 0) return null;
  return (
    <section class="question" aria-label="Required pages">
      <p>The server requires you to visit these pages first. Then repeat the call.</p>
      {pages.map(({ address, message }) => (
        <div key={address} class="block">
          <p class="question-text">{message}</p>
          <AddressPreview address={address} />
          {webHost(address) === undefined ? null : (
            <div class="line">
              <a class="button primary" href={address} target="_blank" rel="noopener noreferrer">
                Open the page
              </a>
            </div>
          )}
        </div>
      ))}
      <div class="line">
        <Button pending={pending} run={() => replayCall(call)}>
          Call again
        </Button>
      </div>
      <ProblemBox error={pending.error} />
    </section>
  );
}

function requiredPages({ code, data }: CallError): readonly { readonly address: string; readonly message: string }[] {
  if (code !== urlElicitationRequired || !isRecord(data) || !Array.isArray(data.elicitations)) return [];
  return data.elicitations.flatMap((each: unknown) =>
    isRecord(each) && typeof each.url === 'string' ? [{ address: each.url, message: stringOrEmpty(each.message) }] : [],
  );
}

/** A URL elicitation. Shows the whole URL and its host before it is opened. */
export function UrlQuestion({ question: { question, params } }: { question: Question }) {
  const pending = useRequest();
  const address = stringOrEmpty(params.url);
  const host = webHost(address);
  return (
    <>
      <p class="question-text">{stringOrEmpty(params.message)}</p>
      <AddressPreview address={address} />
      <div class="line">
        {host === undefined ? null : (
          <a
            class="button primary"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => pending.run(() => request('answer', { question, answer: { action: 'accept' } }))}
          >
            Open the page
          </a>
        )}
        <RejectButtons question={question} pending={pending} />
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Shows a URL before it is opened: its host, and all of it. */
function AddressPreview({ address }: { address: string }) {
  const host = webHost(address);
  return (
    <>
      {host === undefined ? (
        <p class="bad">This is not a web URL, so it can't be opened.</p>
      ) : (
        <p>
          Host <strong class="mono">{host}</strong>
        </p>
      )}
      <pre>{address}</pre>
    </>
  );
}

/** Host of a web URL; other URLs are not opened. */
export function webHost(address: string): string | undefined {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? host : undefined;
  } catch {
    return undefined;
  }
}

/** A form elicitation. */
export function FormQuestion({ question: { question, params } }: { question: Question }) {
  const schema = params.requestedSchema ?? { type: 'object' };
  const draft = useMemo(() => getDraft(`question ${question}`, () => withDefaults(schema)), []);
  const [isTried, setTried] = useState(false);
  const { value, parseError } = draft.value;
  const { problems, currentProblems } = useValidation(schema, value);
  const pending = useRequest();
  const accept = () => {
    setTried(true);
    if (currentProblems > 0 && !isTried) return;
    const content = (value ?? {}) as Readonly<Record<string, unknown>>;
    pending.run(() => request('answer', { question, answer: { action: 'accept', content } }));
  };
  return (
    <>
      <p class="question-text">{stringOrEmpty(params.message)}</p>
      <ArgumentsView
        id={`question-${question}`}
        draft={draft}
        schema={schema}
        problems={problems}
        isTried={isTried}
        isInAddress={false}
      />
      <div class="line">
        <Button isPrimary pending={pending} disabled={parseError !== undefined} onClick={accept}>
          {isTried && currentProblems > 0 ? 'Answer anyway' : 'Answer'}
        </Button>
        <RejectButtons question={question} pending={pending} />
      </div>
      <ProblemBox error={pending.error} />
    </>
  );
}

/** Buttons to decline or cancel an elicitation. */
function RejectButtons({ question, pending }: { question: string; pending: RequestState }) {
  return (
    <>
      <Button pending={pending} run={() => request('answer', { question, answer: { action: 'decline' } })}>
        Decline
      </Button>
      <Button pending={pending} run={() => request('answer', { question, answer: { action: 'cancel' } })}>
        Cancel
      </Button>
    </>
  );
}
