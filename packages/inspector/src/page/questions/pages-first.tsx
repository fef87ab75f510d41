import type { CallError } from '../../shared/calls.ts';
import { repeatCall } from '../again/repeat.ts';
import { isRecord } from '../form/json.ts';
import type { Call } from '../model/world.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { textOf } from '../parts/text-of.ts';
import { useAsking } from '../parts/use-asking.ts';
import { hostToVisit, ShownAddress } from './shown-address.tsx';

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
