import type { Headers } from '../../shared/messages.ts';
import { useAppState } from '../model/store.ts';
import { formatDuration, formatBytes } from '../components/format.ts';

/** A raw HTTP exchange: request and response. */
export function ExchangeView({ id, open = false }: { id: string; open?: boolean }) {
  const exchange = useAppState('findings').diagnostics.exchanges.get(id);
  if (exchange === undefined) return null;
  const { request, response, end } = exchange;
  const verdict =
    response === undefined ? (end?.error ?? 'no response yet') : `${response.status} ${response.statusText}`;
  return (
    <details class="exchange" open={open}>
      <summary class="mono">
        {request.method} {request.url}{' '}
        <span class={isBad(response?.status, end?.error) ? 'bad' : 'dim'}>→ {verdict}</span>
        {end === undefined ? null : <span class="dim"> · {formatDuration(end.ms)}</span>}
      </summary>
      <HeaderTable headers={request.headers} />
      {request.body === undefined ? null : <pre>{request.body}</pre>}
      {response === undefined ? null : (
        <>
          <p class="mono">
            <strong>{verdict}</strong>
          </p>
          <HeaderTable headers={response.headers} />
        </>
      )}
      {end?.error === undefined ? null : <p class="bad">{end.error}</p>}
      {end?.body === undefined || end.body === '' ? null : <pre>{end.body}</pre>}
      {end === undefined ? null : (
        <p class="dim small">
          {formatBytes(end.bytes)}
          {end.truncated ? ', truncated' : ''}
        </p>
      )}
    </details>
  );
}

function isBad(status: number | undefined, error: string | undefined): boolean {
  return error !== undefined || (status !== undefined && status >= 400);
}

/** Names and values, such as headers as sent. */
export function HeaderTable({ headers }: { headers: Headers }) {
  return (
    <dl class="headers">
      {headers.map(([name, value], index) => (
        <HeaderRow key={`${index} ${name}`} name={name} value={value} />
      ))}
    </dl>
  );
}

function HeaderRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

// More exchanges than this start collapsed: they often repeat one request.
const maxExpanded = 2;

/** Raw HTTP exchanges behind a result; the last is the decisive one. */
export function Exchanges({ ids }: { ids: readonly string[] }) {
  const all = ids.map((id) => <ExchangeView key={id} id={id} />);
  if (ids.length <= maxExpanded) return <>{all}</>;
  return (
    <details>
      <summary class="dim">{ids.length} requests</summary>
      <div class="exchanges">{all}</div>
    </details>
  );
}
