import { afterAll, describe, expect, it, vi } from 'vitest';
import { stopAll } from '../../packages/redis/src/fixtures/redis.ts';
import { answersTo, meta, startGateways, storeKinds, textOf } from './fixtures/gateways.ts';

afterAll(stopAll);

describe.each(storeKinds)('two gateways with a store in %s', (kind) => {
  it('forward each answer to the instance whose call waits', async () => {
    const [one, other] = await startGateways(kind);
    const first = await one.call('twice');
    const second = await other.call('twice', first);
    expect(second).toMatchObject({ resultType: 'input_required' });
    expect(textOf(await other.call('twice', second))).toBe('first second');
    // The last answer may reach the right instance directly.
    const again = await other.call('twice', await one.call('twice'));
    expect(textOf(await one.call('twice', again))).toBe('first second');
    expect(one.part.status).toMatchObject({ suspendedCalls: 0, activeCalls: 0 });
  });

  it('accept an answer once, and forward errors', async () => {
    const [one, other] = await startGateways(kind);
    const first = await one.call('fails');
    expect(await other.call('fails', first)).toMatchObject({ isError: true });
    await expect(other.call('fails', first)).rejects.toThrow('no longer waiting');
    await expect(one.call('fails', first)).rejects.toThrow('no longer waiting');
  });

  it('cancel the call upstream when the client of the other one disconnects', async () => {
    const [one, other] = await startGateways(kind);
    const first = await one.call('hangs');
    const controller = new AbortController();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'hangs',
        arguments: {},
        requestState: first.requestState,
        inputResponses: answersTo(first),
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', ...meta },
      },
    };
    const sent = fetch(other.url, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'hangs',
      },
      body: JSON.stringify(body),
    });
    await vi.waitFor(() => expect(one.events).toEqual(['answered']), { timeout: 20_000 });
    controller.abort();
    await expect(sent).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(one.events).toEqual(['answered', 'cancelled']), { timeout: 20_000 });
  });

  it('have tasks that can be read, answered and cancelled at either', async () => {
    const [one, other] = await startGateways(kind);
    const begun = await one.call('work');
    expect(begun).toMatchObject({ resultType: 'task' });
    const taskId = begun.taskId as string;
    const asked = await other.until(taskId, 'input_required');
    await other.request('tasks/update', taskId, { inputResponses: answersTo(asked) });
    expect(await other.until(taskId, 'completed')).toMatchObject({ result: { content: [{ text: 'sure' }] } });
    const second = (await one.call('work')).taskId as string;
    await other.until(second, 'input_required');
    await other.request('tasks/cancel', second);
    await one.until(second, 'cancelled');
  });
});
