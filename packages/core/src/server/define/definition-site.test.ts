import { describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { tool } from './define.ts';
import { errorAt } from './definition-site.ts';
import type { LogEntry } from '../log/log.ts';
import { connect } from '../../client/connect.ts';
import { memoryTransport } from '../../transports/memory.ts';

const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } as const;

describe('a result that breaks its output schema', () => {
  it('is reported with the line that defines the tool, and the client does not see it', async () => {
    const entries: LogEntry[] = [];
    const liar = tool('liar', { output }, () => ({ sum: 'three' }) as never);
    const server = createServer({
      name: 'n',
      version: '1',
      tools: [liar],
      logger: { level: 'error', write: (entry) => entries.push(entry) },
    });
    const client = await connect(memoryTransport(server));
    const rejection = await client.callTool('liar').catch((error: Error) => error);
    await client.close();

    expect((rejection as Error).message).toBe('Tool "liar" returned a result that breaks its output schema');
    const { stack = '' } = (entries[0]?.error ?? {}) as { stack?: string };
    expect(stack).toMatch(/^Error: sum: expected number, got string\n {4}at .*definition-site\.test\.ts:\d+:\d+/);
  });

  it('has a stack of its own where nobody knows where it was defined', () => {
    const error = errorAt({}, 'no');
    expect(error.message).toBe('no');
    expect(error.stack).toContain('errorAt');
  });
});
