import { RequestError } from '../model/api.ts';

/** Shows an error and what to do about it. */
export function ProblemBox({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const advice = error instanceof RequestError ? error.advice : undefined;
  return (
    <div class="box bad-box" role="alert">
      <strong>
        {typeof error === 'string' ? error : error instanceof Error ? error.message : 'The request failed.'}
      </strong>
      {advice === undefined ? null : <p>{advice}</p>}
    </div>
  );
}
