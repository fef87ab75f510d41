import type { Question } from '../../shared/questions.ts';
import { ask } from '../model/api.ts';
import { ProblemBox } from '../components/problem-box.tsx';
import { useAsking } from '../components/use-request.ts';
import { textOf, isRecord } from '../form/json.ts';
import type { CallError } from '../../shared/calls.ts';
import { repeatCall } from '../replay/replay.ts';
import type { Call } from '../model/app-state.ts';

/** The code by which a server says that pages have to be visited before it does what was asked. */
const pagesFirst = -32042;

/** The pages that a server wants visited before a call, and a way to make the call again after that. */
export function PagesFirst({ call, error }: { call: Call; error: CallError }) {
  const asking = useAsking();
  const pages = wantedPages(error);
  if (pages.length === 0) return null;
  return (
    <section class="question" aria-label="Pages to visit first">
      <p>The server wants these pages visited first. Then make the call again.</p>
      {pages.map(({ address, message }) => (
        <div key={address} class="block">
          <p class="asked-words">{message}</p>
          <ShownAddress address={address} />
          {hostToVisit(address) === undefined ? null : (
            <div class="line">
              <a class="button primary" href={address} target="_blank" rel="noopener noreferrer">
                Open the page
              </a>
            </div>
          )}
        </div>
      ))}
      <div class="line">
        <button type="button" class="button" disabled={asking.busy} onClick={() => asking.run(() => repeatCall(call))}>
          Call again
        </button>
      </div>
      <ProblemBox error={asking.error} />
    </section>
  );
}

function wantedPages({ code, data }: CallError): readonly { readonly address: string; readonly message: string }[] {
  if (code !== pagesFirst || !isRecord(data) || !Array.isArray(data.elicitations)) return [];
  return data.elicitations.flatMap((each: unknown) =>
    isRecord(each) && typeof each.url === 'string' ? [{ address: each.url, message: textOf(each.message) }] : [],
  );
}

/** A page that the server wants visited. Its whole address is shown before it is opened, its host apart. */
export function UrlQuestion({ question: { question, params } }: { question: Question }) {
  const asking = useAsking();
  const address = textOf(params.url);
  const host = hostToVisit(address);
  const answer = (action: 'accept' | 'decline' | 'cancel') =>
    asking.run(() => ask('answer', { question, answer: { action } }));
  return (
    <>
      <p class="asked-words">{textOf(params.message)}</p>
      <ShownAddress address={address} />
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
        <button type="button" class="button" disabled={asking.busy} onClick={() => answer('decline')}>
          Decline
        </button>
        <button type="button" class="button" disabled={asking.busy} onClick={() => answer('cancel')}>
          Cancel
        </button>
      </div>
      <ProblemBox error={asking.error} />
    </>
  );
}

/** An address that a server wants visited, before it is: its host apart, and all of it. */
export function ShownAddress({ address }: { address: string }) {
  const host = hostToVisit(address);
  return (
    <>
      {host === undefined ? (
        <p class="bad">This is no address of the web, so it is not opened.</p>
      ) : (
        <p>
          Host <strong class="mono">{host}</strong>
        </p>
      )}
      <pre>{address}</pre>
    </>
  );
}

/** The host of an address of the web; others are not opened. */
export function hostToVisit(address: string): string | undefined {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? host : undefined;
  } catch {
    return undefined;
  }
}
