import type { Question } from '../../shared/questions.ts';
import { ask } from '../model/api.ts';
import { hostToVisit, ShownAddress } from './shown-address.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useAsking } from '../parts/use-asking.ts';
import { textOf } from '../parts/text-of.ts';

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
