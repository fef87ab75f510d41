import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openPage } from '../fixtures/page.ts';
import { type Ends, findUser } from './other-user.ts';

const ends: Ends = { localAddress: '127.0.0.1', localPort: 8080, remoteAddress: '127.0.0.1', remotePort: 40_000 };
const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const [here, there] = ['0100007F:1F90', '0100007F:9C40'];

const row = (from: string, to: string, { state = '01', user = 1000, inode = 77 } = {}): string =>
  `   3: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 ${inode} 1 00000000107827fc 100 0`;

describe('the user at the other end of a connection', () => {
  it.each([
    ['is in the row of that end', [row(here, there, { user: 1 }), row(there, here, { user: 1000 })], 1000],
    ['is not that of another address with the same port', [row('0200007F:9C40', here, { user: 5 })], undefined],
    ['is unknown where there is no such row', [row('00000000:0000', here)], undefined],
    ['is gone where its process has closed it', [row(there, here, { user: 0, inode: 0, state: '05' })], 'closed'],
    ['is gone where it waits to be forgotten', [row(there, here, { user: 0, inode: 0, state: '06' })], 'closed'],
    ['is gone where only this end is left', [row(here, there)], 'closed'],
  ])('%s', (_, rows, user) => {
    expect(findUser(ends, [head, ...rows].join('\n'))).toBe(user);
  });

  it('is found for IPv4 addresses mapped to IPv6', () => {
    const mapped = (end: string): string => `0000000000000000FFFF0000${end}`;
    const six = { ...ends, localAddress: '::ffff:127.0.0.1', remoteAddress: '::ffff:127.0.0.1' };
    expect(findUser(six, row(mapped(there), mapped(here), { user: 7 }))).toBe(7);
    const [one, other] = [`${'0'.repeat(24)}01000000:1F90`, `${'0'.repeat(24)}01000000:9C40`];
    expect(findUser({ ...ends, localAddress: '::1', remoteAddress: '::1' }, row(other, one, { user: 8 }))).toBe(8);
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('another user of this machine', () => {
  it('is rejected, even with the token from the list of processes', async () => {
    const page = await openPage();
    // Switches the user at run time, because the other user may have no access to this Node.
    const script = `
      process.setgid(4242);
      process.setuid(4242);
      const [address, token] = process.argv.slice(1);
      const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
      const sent = await fetch(address + '/api/connect', { method: 'POST', headers, body: '{"typed":"http://127.0.0.1:9/"}' });
      const read = await fetch(address + '/api/events', { headers });
      console.log(sent.status, read.status, (await fetch(address)).status);
      process.exit();
    `;
    const words = ['--input-type=module', '-e', script, page.origin, page.token];
    const child = spawn(process.execPath, words, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString().trim()).toBe('403 403 200');
    expect(page.events.filter(({ type }) => type === 'connection')).toEqual([]);
  });
});
