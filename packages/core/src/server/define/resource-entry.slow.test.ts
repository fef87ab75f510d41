import { describe, expect, it } from 'vitest';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { template } from './define.ts';
import { type DirectClient, connectDirect } from '../fixtures/direct-client.ts';
import type { Server } from '../server.ts';

function server(options: Partial<ServerOptions>): Server {
  return createServer({ name: 'n', version: '1', ...options });
}

describe('watching a resource', () => {
  const any = { templates: [template('a://{+x}', {}, () => 'x')] };

  it('limits the total over all clients, and frees room when one disconnects (RX-02)', () => {
    const one = server(any);
    const clients = Array.from({ length: 9 }, () => connectDirect(one, { version: '2025-11-25' }));
    const uri = (n: number): string => `a://${n}`.padEnd(8192, 'x');
    const subscribe = ({ request }: DirectClient, n: number): unknown =>
      request('resources/subscribe', { uri: uri(n) });
    for (const each of clients.slice(0, 7)) for (let n = 0; n < 128; n += 1) subscribe(each, n);
    const rejected = { error: { code: -32602, message: expect.stringMatching(/can not watch more for all/) } };
    for (let n = 0; n < 128; n += 1) subscribe(clients[7] as DirectClient, n);
    expect(subscribe(clients[8] as DirectClient, 0)).toMatchObject(rejected);
    clients[0]?.peer.session?.end();
    expect(subscribe(clients[8] as DirectClient, 0)).toMatchObject({ result: {} });
  });
});
