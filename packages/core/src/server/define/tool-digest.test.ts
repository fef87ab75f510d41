import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool, type Tool } from './define.ts';
import { connectDirect } from '../fixtures/direct-client.ts';
import type { LogEntry } from '../log/log.ts';
import { replaceable } from '../replaceable.ts';
import type { Server } from '../server.ts';

const say = (description: string, input: object = { type: 'object' }): Tool =>
  tool('say', { description, input: { ...input } }, () => 'said');

/** A server, and its log to be read line by line. */
function logged(tools: Tool[]): { server: Server; next: () => Promise<string> } {
  const lines: string[] = [];
  let wake = (): void => {};
  const write = ({ data }: LogEntry): void => {
    lines.push(String(data));
    wake();
  };
  const server = createServer({ name: 'n', version: '1', tools, logger: { level: 'debug', write } });
  const next = async (): Promise<string> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return lines.shift() as string;
  };
  return { server, next };
}

const digestIn = (line: string): string | undefined => /([0-9a-f]{64})$/.exec(line)?.[1];

describe('the digest of the tools', () => {
  it.each([
    ['description', say('Say it twice')],
    ['schema', say('Say it', { type: 'object', properties: { a: { type: 'string' } } })],
  ])('TT-22: is another when a %s is, that is logged, and clients are notified', async (_, changed) => {
    const other = tool('other', {}, () => '');
    const { server, next } = logged([say('Say it'), other]);
    const { request, received } = connectDirect(server, { version: '2025-11-25' });
    await request('tools/list');
    const first = await next();
    expect(first).toMatch(/^Tools: 2, digest [0-9a-f]{64}$/);
    server.tools.remove('say');
    server.tools.add(changed);
    const second = await next();
    expect(second).toMatch(/^The tools have changed: changed say\. Digest [0-9a-f]{64}, now [0-9a-f]{64}$/);
    expect(second).toContain(`Digest ${digestIn(first)}, now`);
    expect(received).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
    server.tools.remove('say');
    server.tools.add(say('Say it'));
    expect(digestIn(await next())).toBe(digestIn(first));
  });

  it('says which tools came and went, the first ten of them', async () => {
    const { server, next } = logged([say('Say it')]);
    await connectDirect(server).request('tools/list');
    await next();
    server.tools.remove('say');
    server.tools.add(...Array.from({ length: 12 }, (_, each) => tool(`t${each}`, {}, () => '')));
    expect(await next()).toMatch(/^The tools have changed: added t0, t1, .*, t9 and 2 more; removed say\. Digest/);
  });

  it('is compared once clients have seen tools, and logged only on a change', async () => {
    const { server, next } = logged([say('Say it')]);
    server.tools.add(tool('early', {}, () => ''));
    server.tools.remove('early');
    await connectDirect(server).request('tools/list');
    await next();
    server.tools.remove('say');
    server.tools.add(say('Say it'));
    await Promise.resolve();
    server.tools.add(tool('late', {}, () => ''));
    expect(await next()).toContain('added late.');
  });

  it('is not computed if no log shows it', async () => {
    let asked = 0;
    const jsonSchema = { input: () => (asked += 1) && { type: 'object' }, output: () => ({}) };
    const input = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }), jsonSchema } };
    const late = tool('late', { input: input as never }, () => '');
    const server = createServer({ name: 'n', version: '1', tools: [], logger: { level: 'warning', write: () => {} } });
    await connectDirect(server).request('tools/list');
    server.tools.add(late);
    await Promise.resolve();
    expect(asked).toBe(0);
  });

  it('is compared with that of the replaced server', async () => {
    const { server, next } = logged([say('Say it')]);
    const current = replaceable(server);
    await connectDirect(current.server).request('tools/list');
    await next();
    current.replace(createServer({ name: 'n', version: '2', tools: [say('Say it otherwise')] }));
    expect(await next()).toContain('changed say.');
  });

  it('takes no notice of a tool that can not be shown', async () => {
    const unreadable = {
      '~standard': {
        version: 1,
        vendor: 'broken',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error('no');
          },
          output: () => ({}),
        },
      },
    };
    const { server, next } = logged([tool('broken', { input: unreadable as never }, () => '')]);
    const answer = await connectDirect(server).request('tools/list');
    expect(answer?.error?.code).toBe(-32603);
    const lines = [await next(), await next()];
    expect(lines.some((line) => line.startsWith('Tools: 1, digest'))).toBe(true);
  });
});
