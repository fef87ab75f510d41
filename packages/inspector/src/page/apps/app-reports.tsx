import type { Json } from '../form/json.ts';
import { JsonTree } from '../result/json-tree.tsx';
import { AppMessages } from './app-messages.tsx';
import type { Finding, ShownApp, Wish } from './shown-app.ts';

/** What a view wants, what was stopped, what it said. */
export function AppReports({ app }: { app: ShownApp }) {
  const { wishes, findings, logs, modelContext } = app;
  return (
    <div class="app-reports">
      {wishes.value.map((wish, index) => (
        <WishCard key={index} wish={wish} />
      ))}
      {findings.value.length === 0 ? null : (
        <ul class="app-findings" aria-label="Stopped or wrong">
          {findings.value.map((finding) => (
            <FindingRow key={`${finding.what} ${finding.detail}`} finding={finding} />
          ))}
        </ul>
      )}
      {logs.value.length === 0 ? null : (
        <ul class="app-findings" aria-label="Log of the view">
          {logs.value.map(({ n, level, logger, text }) => (
            <li key={n}>
              <span class="dim">
                {level} {logger}
              </span>{' '}
              <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      {modelContext.value === undefined ? null : (
        <JsonTree value={modelContext.value as unknown as Json} depth={0} name="for the model" />
      )}
      <AppMessages app={app} />
    </div>
  );
}

function WishCard({ wish: { wants, detail, verb, answer } }: { wish: Wish }) {
  return (
    <div class="question" role="group" aria-label={`The view ${wants}`}>
      <p>
        The view <strong>{wants}</strong>
      </p>
      <pre>{detail}</pre>
      <div class="line">
        <button type="button" class="button primary" onClick={() => answer(true)}>
          {verb}
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          Refuse
        </button>
      </div>
    </div>
  );
}

function FindingRow({ finding: { what, detail, advice, isError, times } }: { finding: Finding }) {
  return (
    <li>
      <span class={isError ? 'bad' : 'note'}>
        {isError ? '✕' : '▲'} {what}
      </span>{' '}
      <code>{detail}</code> {times > 1 ? <span class="dim">× {times}</span> : null}
      {advice === undefined ? null : (
        <p>
          <span class="dim">To allow it:</span> <code class="advice">{advice}</code>
        </p>
      )}
    </li>
  );
}
