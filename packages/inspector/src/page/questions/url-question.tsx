import type { Question } from '../../shared/questions.ts';
import { request } from '../model/api.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useRequest } from '../components/use-request.ts';
import { stringOrEmpty, isRecord } from '../form/json.ts';
import type { CallError } from '../../shared/calls.ts';
import { replayCall } from '../replay/replay.ts';
import type { Call } from '../model/app-state.ts';

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
          <p class="asked-words">{message}</p>
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
        <button
          type="button"
          class="button"
          disabled={pending.busy}
          onClick={() => pending.run(() => replayCall(call))}
        >
          Call again
        </button>
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
  const answer = (action: 'accept' | 'decline' | 'cancel') =>
    pending.run(() => request('answer', { question, answer: { action } }));
  return (
    <>
      <p class="asked-words">{stringOrEmpty(params.message)}</p>
      <AddressPreview address={address} />
      <div class="line">
        {host === undefined ? null : (
          <a
            class="button primary"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => answer('accept')}
          >
            Open the page
          </a>
        )}
        <button type="button" class="button" disabled={pending.busy} onClick={() => answer('decline')}>
          Decline
        </button>
        <button type="button" class="button" disabled={pending.busy} onClick={() => answer('cancel')}>
          Cancel
        </button>
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
