import { describe, expect, it } from 'vitest';
import { createServer } from '../create-server.ts';
import { template } from './define.ts';
import { type Door, openDoor } from '../fixtures/door.ts';
import type { ServerOptions } from '../options.ts';
import type { Server } from '../server.ts';

function server(options: Partial<ServerOptions>): Server {
  return createServer({ name: 'n', version: '1', ...options });
}

describe('watching a resource', () => {
  const any = { templates: [template('a://{+x}', {}, () => 'x')] };

  it('takes so much for all clients, and there is room again when one is gone (RX-02)', () => {
    const one = server(any);
    const doors = Array.from({ length: 9 }, () => openDoor(one, { version: '2025-11-25' }));
    const uri = (n: number): string => `a://${n}`.padEnd(8192, 'x');
    const subscribe = ({ ask }: Door, n: number): unknown => ask('resources/subscribe', { uri: uri(n) });
    for (const each of doors.slice(0, 7)) for (let n = 0; n < 128; n += 1) subscribe(each, n);
    const refused = { error: { code: -32602, message: expect.stringMatching(/can not watch more for all/) } };
    for (let n = 0; n < 128; n += 1) subscribe(doors[7] as Door, n);
    expect(subscribe(doors[8] as Door, 0)).toMatchObject(refused);
    doors[0]?.exchange.session?.end();
    expect(subscribe(doors[8] as Door, 0)).toMatchObject({ result: {} });
  });
});
