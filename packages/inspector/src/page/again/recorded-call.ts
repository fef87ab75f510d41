import type { RecordedCall } from '../../shared/requests.ts';
import type { Call, World } from '../model/world.ts';

/** A call of a recording, with all that is needed to make it elsewhere. */
export function recordedCall({ connections, targets, exchanges }: World, { start, end, inside }: Call): RecordedCall {
  const connection = connections.get(start.connection);
  const { kind = 'url', detail = '', label = '', target } = connection ?? {};
  const [exchange] = [...exchanges.values()].filter(
    ({ request: { call, method } }) => call === start.call && method === 'POST',
  );
  const message = inside.find(
    (event) => event.type === 'message' && event.from === 'client' && event.exchange === exchange?.request.exchange,
  );
  const body = message?.type === 'message' && !message.cut ? message.text : undefined;
  return {
    target: { kind, detail, label: targets.find(({ id }) => id === target)?.label ?? label },
    method: start.method,
    params: JSON.parse(start.params) as Readonly<Record<string, unknown>>,
    ...(connection?.server !== undefined && { revision: connection.server.protocolVersion }),
    ...(end?.result !== undefined && { result: end.result }),
    ...(exchange !== undefined && body !== undefined && { sent: { headers: exchange.request.headers, body } }),
  };
}
