import { describe, expect, it } from 'vitest';
import type { Request } from '../../jsonrpc/message.ts';
import { scripted } from '../fixtures/scripted.ts';

const ask = (requestState?: string): object => ({
  resultType: 'input_required',
  inputRequests: { where: { method: 'roots/list' } },
  ...(requestState !== undefined && { requestState }),
});
const done = { resultType: 'complete', content: [] };
const roots = [{ uri: 'file:///a' }];

function calls(sent: readonly object[]): Request[] {
  return sent.filter((message): message is Request => 'method' in message && message.method === 'tools/call');
}

describe('questions in a result', () => {
  it('are answered in a new request with the unchanged state, which no other request gets (C-I-01)', async () => {
    const state = 'v1.\u00e4 =\n"';
    const { client, sent } = await scripted(
      ({ method, params }) => {
        if (method !== 'tools/call') return undefined;
        return params?.name === 'asking' && params.inputResponses === undefined ? ask(state) : done;
      },
      { roots },
    );
    await client.callTool('asking', { a: 1 });
    await client.callTool('other');
    const [first, second, other] = calls(sent);
    expect(second?.id).not.toBe(first?.id);
    expect(second?.params).toMatchObject({
      name: 'asking',
      arguments: { a: 1 },
      inputResponses: { where: { roots } },
      requestState: state,
    });
    expect(other?.params).not.toHaveProperty('requestState');
    expect(other?.params).not.toHaveProperty('inputResponses');
  });

  it('without state are answered without state (C-I-01)', async () => {
    const { client, sent } = await scripted(
      ({ method, params }) => {
        if (method !== 'tools/call') return undefined;
        return params?.inputResponses === undefined ? ask() : done;
      },
      { roots },
    );
    await client.callTool('x');
    expect(calls(sent)[1]?.params).not.toHaveProperty('requestState');
  });

  it('are rejected above a hundred at a time', async () => {
    let asked = 0;
    const questions = Array.from({ length: 101 }, (_, index) => [`q${index}`, { method: 'roots/list' }]);
    const inputRequests = Object.fromEntries(questions) as object;
    const { client } = await scripted(
      ({ method }) => (method === 'tools/call' ? { resultType: 'input_required', inputRequests } : undefined),
      {
        roots: () => {
          asked += 1;
          return [];
        },
      },
    );
    await expect(client.callTool('x')).rejects.toThrow('The server asks more than 100 questions at once');
    expect(asked).toBe(0);
  });

  it('may be absent: only the state is returned', async () => {
    const { client, sent } = await scripted(({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      return params?.requestState === undefined ? { resultType: 'input_required', requestState: 's' } : done;
    });
    await client.callTool('x');
    expect(calls(sent)[1]?.params).toMatchObject({ requestState: 's' });
    expect(calls(sent)[1]?.params).not.toHaveProperty('inputResponses');
  });

  it('are limited in rounds', async () => {
    const { client, sent } = await scripted(({ method }) => (method === 'tools/call' ? ask('s') : undefined), {
      roots,
    });
    await expect(client.callTool('x')).rejects.toThrow('The server still asks for input after 10 rounds');
    expect(calls(sent).length).toBeLessThan(15);
  });

  it('that the client can not answer reject the call, and nothing is sent', async () => {
    const { client, sent } = await scripted(({ method }) => (method === 'tools/call' ? ask() : undefined));
    await expect(client.callTool('x')).rejects.toMatchObject({ code: -32601 });
    expect(calls(sent)).toHaveLength(1);
  });

  it.each([
    ['nothing', { resultType: 'input_required' }],
    ['a question that is none', { resultType: 'input_required', inputRequests: { a: 7 } }],
  ])('that are malformed are an error of the server: %s', async (_, result) => {
    const { client } = await scripted(({ method }) => (method === 'tools/call' ? result : undefined));
    await expect(client.callTool('x')).rejects.toMatchObject({ name: 'ResultError' });
  });
});

describe('the type of a result', () => {
  it('defaults to complete (C-V-08)', async () => {
    const { client, sent } = await scripted(({ method }) => (method === 'tools/call' ? { content: [] } : undefined));
    await client.callTool('x');
    expect(calls(sent)).toHaveLength(1);
  });

  it('is rejected if it is unknown (C-V-08)', async () => {
    const { client } = await scripted(({ method }) =>
      method === 'tools/call' ? { resultType: 'later', content: [] } : undefined,
    );
    await expect(client.callTool('x')).rejects.toThrow('an unknown type: "later"');
  });
});
