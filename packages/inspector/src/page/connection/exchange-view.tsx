import type { Headers } from '../../shared/http.ts';
import { useWorld } from '../model/store.ts';
import { duration, size } from '../components/format.ts';

/** An HTTP exchange, raw: what was sent and what came. */
export function ExchangeView({ id, open = false }: { id: string; open?: boolean }) {
  const exchange = useWorld('findings').exchanges.get(id);
  if (exchange === undefined) return null;
  const { request, response, end } = exchange;
  const verdict =
    response === undefined ? (end?.error ?? 'no answer yet') : `${response.status} ${response.statusText}`;
  return (
    <details class="exchange" open={open}>
      <summary class="mono">
        {request.method} {request.url}{' '}
        <span class={isBad(response?.status, end?.error) ? 'bad' : 'dim'}>→ {verdict}</span>
        {end === undefined ? null : <span class="dim"> · {duration(end.ms)}</span>}
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
          {size(end.bytes)}
          {end.cut ? ', shown in part' : ''}
        </p>
      )}
    </details>
  );
}

function isBad(status: number | undefined, error: string | undefined): boolean {
  return error !== undefined || (status !== undefined && status >= 400);
}

/** Names and values of headers, as they were sent. */
function HeaderTable({ headers }: { headers: Headers }) {
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
