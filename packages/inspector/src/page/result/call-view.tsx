import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CallOutcome } from '../../shared/calls.ts';
import type { Json } from '../../shared/json.ts';
import { Button } from '../components/controls.tsx';
import { formatBytes, formatDuration, formatEntryCount, formatTokens } from '../components/format.ts';
import { Elapsed } from '../components/status.tsx';
import { JsonTree } from '../content/json-tree.tsx';
import { request } from '../model/api.ts';
import type { Call } from '../model/app-state.ts';
import { openedRecording } from '../model/route.ts';
import { useAppState } from '../model/store.ts';
import { autoLoadBytes, useFetchedResult } from '../model/use-full-result.ts';
import { RequiredPages } from '../questions/elicitation.tsx';
import { QuestionCard } from '../questions/question-card.tsx';
import { CallTask } from '../tasks/task-status.tsx';
import { ResultView } from './result-view.tsx';

const outcomes: Readonly<Record<CallOutcome, readonly [shape: string, word: string, tone: string]>> = {
  ok: ['✓', 'done', 'ok'],
  'tool-error': ['▲', 'the tool failed', 'note'],
  'broken-output': ['✕', 'output does not match its schema', 'bad'],
  error: ['✕', 'protocol error', 'bad'],
  timeout: ['✕', 'timed out', 'bad'],
  cancelled: ['○', 'cancelled', 'dim'],
  lost: ['✕', 'the connection was lost', 'bad'],
};

/** A call: progress while it runs, then its outcome. */
export function CallView({ call, view }: { call: Call; view?: ComponentChildren }) {
  const { questions } = useAppState('calls', 'questions');
  const open = call.questions.flatMap((id) => {
    const asked = questions.get(id);
    return asked === undefined ? [] : [asked];
  });
  return (
    <div class="call-view">
      {open.map((asked) => (
        <QuestionCard key={asked.question.question} asked={asked} />
      ))}
      <CallTask call={call} />
      {view}
      {call.end === undefined ? <CallProgress call={call} /> : <CallOutcomeView call={call} end={call.end} />}
    </div>
  );
}

function CallProgress({ call }: { call: Call }) {
  // A component that reads signals re-renders on signals only, and the call object is mutated in place.
  useAppState('calls');
  const { start, progress, questions } = call;
  const { total, progress: done = 0, message } = progress ?? {};
  if (openedRecording.value !== undefined) return <p class="dim">It was still running when the recording ended.</p>;
  return (
    <div class="running" role="status">
      <div class="line">
        <span class="mark turning">◐</span>
        <span>{questions.length > 0 ? 'Waiting' : 'Running'}</span>
        <Elapsed since={start.at} />
        <span class="dim grow truncate">{message}</span>
        <Button onClick={() => void request('cancel', { call: start.call })}>Cancel</Button>
      </div>
      {progress === undefined ? null : (
        <div class="line">
          <progress class="grow" aria-label="Progress" {...(total === undefined ? {} : { value: done, max: total })} />
          <span class="mono small">{total === undefined ? done : `${done} / ${total}`}</span>
        </div>
      )}
    </div>
  );
}

function CallOutcomeView({ call, end }: { call: Call; end: NonNullable<Call['end']> }) {
  const estimate = useAppState('hello').hello?.tokenEstimate;
  const [isRequested, setRequested] = useState(false);
  const { result, problem } = useFetchedResult(call, isRequested || end.bytes <= autoLoadBytes);
  const [shape, word, tone] = outcomes[end.outcome];
  return (
    <>
      <p class="outcome line">
        <span class={tone}>
          {shape} {word}
        </span>
        <span class="dim mono small">
          {formatDuration(end.ms)}
          {end.error === undefined ? ` · ${formatBytes(end.bytes)}` : ''}
        </span>
        {end.error === undefined ? (
          <span class="dim mono small" title={`Estimated cost of what a model receives: ${estimate ?? ''}`}>
            {formatTokens(end.tokens)}
          </span>
        ) : null}
        {end.listed === undefined ? null : <span>{formatEntryCount(end.listed)}</span>}
        <SchemaVerdict end={end} />
      </p>
      {end.error === undefined || end.outcome === 'cancelled' ? null : (
        <div class="box bad-box block" role="alert">
          <p>
            {end.error.code === undefined ? null : <code>{end.error.code} </code>}
            <strong>{end.error.message}</strong>
          </p>
          {end.error.advice === undefined ? null : <p>{end.error.advice}</p>}
          {end.error.data === undefined ? null : <JsonTree value={end.error.data as Json} name="data" />}
        </div>
      )}
      {end.error === undefined ? null : <RequiredPages call={call} error={end.error} />}
      {end.problems === undefined || end.problems.length === 0 ? null : (
        <ul class="box bad-box" aria-label="Problems of the structured result">
          {end.problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path === '' ? '(whole)' : path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {end.truncated && openedRecording.value !== undefined ? (
        <p class="dim">The result had {formatBytes(end.bytes)}, which was too much for the recording.</p>
      ) : end.truncated && result === undefined ? (
        <div class="box line">
          <span class="grow">
            The result has {formatBytes(end.bytes)}. {problem}
          </span>
          {problem === undefined ? (
            <Button disabled={isRequested} onClick={() => setRequested(true)}>
              {isRequested || end.bytes <= autoLoadBytes ? 'Loading …' : 'Show all'}
            </Button>
          ) : null}
        </div>
      ) : null}
      {result === undefined ? null : <ResultView result={result as Json} isFailure={end.outcome === 'tool-error'} />}
    </>
  );
}

function SchemaVerdict({ end: { outcome, problems, fits } }: { end: NonNullable<Call['end']> }) {
  if (outcome === 'broken-output') return <span class="tag bad">schema ✕ {problems?.length}</span>;
  return fits ? <span class="tag ok">schema ✓</span> : null;
}
