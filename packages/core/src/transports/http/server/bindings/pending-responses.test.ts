import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../../create-server.ts';
import { tool } from '../../../../server/define/define.ts';
import { httpHandler } from '../handler.ts';
import { PendingResponses } from './pending-responses.ts';

const reported: unknown[] = [];

/** Sends pipelined calls, each with its own `Accept`, and returns the events on the server in their order. */
async function orderOf(accepts: readonly string[], write: () => void = () => {}): Promise<string[]> {
  const order: string[] = [];
  const logger = { level: 'error', write: ({ error }: { error?: unknown }) => void reported.push(error) } as const;
  const server = createServer({ name: 's', version: '1', logger, tools: [tool('add', {}, () => 'sum')] });
  const noteWrite = (): void => {
    order.push('written');
    write();
  };
  server.observe({ begin: () => ({ end: (end) => end.beforeAnswer(noteWrite) }) });
  const handler = httpHandler(server);
  let left = accepts.length;
  const http = createHttpServer((request, response) => {
    const end = response.end.bind(response) as () => typeof response;
    response.end = () => {
      order.push('answered');
      left -= 1;
      if (left === 0) http.emit('answered');
      return end();
    };
    handler.node(request, response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(async () => {
    socket.destroy();
    await handler.close({ graceMs: 0 });
    http.close();
  });
  const all = once(http, 'answered');
  socket.write(accepts.map(requestWith).join(''));
  await all;
  return order;
}

function requestWith(accept: string, index: number): string {
  const meta =
    '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
  const body = `{"jsonrpc":"2.0","id":${index},"method":"tools/call","params":{"name":"add","_meta":${meta}}}`;
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Accept: ${accept}`,
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: add',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const json = 'application/json, text/event-stream';

describe('HTTP responses of one tick', () => {
  it('are sent after the write that must precede them, which runs once', async () => {
    const order = await orderOf([json, json, json]);
    expect(order.filter((what) => what === 'answered')).toHaveLength(3);
    expect(order[0]).toBe('written');
    // Were the machine so busy that the turn took long, there might be two.
    expect(order.filter((what) => what === 'written').length).toBeLessThan(3);
    expect(order.indexOf('answered')).toBeGreaterThan(0);
  });

  it('wait for it also if one is a stream', async () => {
    const order = await orderOf([json, 'text/event-stream', json]);
    const isKept = order.map((what, at) => what === 'written' || order.slice(0, at).includes('written'));
    expect(isKept).not.toContain(false);
    expect(order.filter((what) => what === 'answered')).toHaveLength(3);
  });

  it('are sent although it fails, which is reported', async () => {
    const fault = new Error('disk');
    const order = await orderOf([json], () => {
      throw fault;
    });
    expect(order).toEqual(['written', 'answered']);
    expect(reported).toContain(fault);
  });
});

describe('pending responses', () => {
  it('are not delayed outside of a tick', () => {
    const pending = new PendingResponses(() => {});
    expect(pending.runBefore(() => {})).toBe(false);
    expect(pending.isHolding).toBe(false);
  });

  it('are sent after the last request of the tick, without waiting for new ones', () => {
    const done: string[] = [];
    const pending = new PendingResponses(() => {});
    pending.expected += 1;
    pending.begin();
    // It will be served in the next turn.
    pending.expected += 1;
    expect(pending.runBefore(() => void done.push('written'))).toBe(true);
    pending.add(() => void done.push('sent'));
    pending.end();
    expect(done).toEqual(['written', 'sent']);
  });

  it('are sent together for a batch of queued requests, with a maximum delay', () => {
    const done: string[] = [];
    let now = 0;
    const pending = new PendingResponses(
      () => {},
      () => now,
    );
    const write = (): void => void done.push('written');
    const answer = (name: string): void => {
      expect(pending.runBefore(write)).toBe(true);
      pending.add(() => void done.push(name));
    };
    pending.runBatch(() => {
      answer('one');
      answer('two');
      expect(done).toEqual([]);
      now += 5;
      answer('three');
      expect(done).toEqual(['written', 'one', 'two', 'three']);
      answer('four');
    });
    expect(done.slice(4)).toEqual(['written', 'four']);
  });

  it('are all sent although one fails', () => {
    const errors: unknown[] = [];
    const done: string[] = [];
    const pending = new PendingResponses((error) => void errors.push(error));
    const fault = new Error('header');
    pending.expected += 1;
    pending.begin();
    pending.runBefore(() => {});
    pending.add(() => {
      throw fault;
    });
    pending.add(() => void done.push('sent'));
    pending.end();
    expect(errors).toEqual([fault]);
    expect(done).toEqual(['sent']);
  });
});
