import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../stores/memory.ts';
import {
  answerOf,
  handshake,
  initializeRequest,
  post,
  sessionClient,
  statelessClient,
  textOf,
} from '../fixtures/client.ts';
import { readEvents } from '../fixtures/events.ts';
import { start } from '../fixtures/start.ts';

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

const questions = [
  {
    name: 'ask',
    method: 'elicitation/create',
    answer: { action: 'accept', content: { name: 'Ann' } },
    says: 'Hello, Ann',
  },
  {
    name: 'sample',
    method: 'sampling/createMessage',
    answer: { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } },
    says: 'word',
  },
  { name: 'roots', method: 'roots/list', answer: { roots: [{ uri: 'file:///a' }] }, says: 'file:///a' },
];

describe.each(['2025-06-18', '2025-11-25'])('a client of a session in %s', (version) => {
  it.each(questions)(
    'is asked on the stream of its own request: $method (S-H-08)',
    async ({ name, method, answer, says }) => {
      const { url } = await start();
      const session = await handshake(url, { version, capabilities });
      const events = readEvents(await session.sendCall(name, {}, { id: 'call' }));
      const question = await events.message();
      expect(question).toMatchObject({ method, id: expect.any(String) });
      const taken = await session.post({ jsonrpc: '2.0', id: question?.id, result: answer });
      expect([taken.status, await taken.text()]).toEqual([202, '']);
      const [last, ...more] = await events.rest();
      expect(more).toEqual([]);
      expect(last).toMatchObject({ id: 'call' });
      expect(textOf(last ?? {})).toBe(says);
    },
  );
});

describe('a client before notifications/initialized', () => {
  /** Begins a session on one of two instances, without `notifications/initialized`. */
  async function begin() {
    const store = memoryStore();
    const [one, two] = [await start({ store }), await start({ store })];
    const response = await post(one.url, initializeRequest({ capabilities }));
    await response.text();
    const session = sessionClient(one.url, response.headers.get('mcp-session-id') ?? '');
    return { session, one, two };
  }

  it.each(['one', 'two'] as const)('is asked nothing before it is, on instance %s (S-V-04)', async (at) => {
    const { session, ...instances } = await begin();
    let isAsked = false;
    const asking = session.sendCall('ask').then((response) => {
      isAsked = true;
      return readEvents(response);
    });
    for (let times = 0; times < 5; times += 1) {
      expect(await session.call('later', { text: 'plain' })).toHaveProperty('result');
    }
    expect(isAsked).toBe(false);
    await session.notify('notifications/initialized', undefined, { url: instances[at].url });
    const events = await asking;
    const question = await events.message();
    expect(question).toMatchObject({ method: 'elicitation/create' });
    await session.post({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } });
    expect(textOf((await events.rest())[0] ?? {})).toBe('decline');
  });
});

describe('a question to a client', () => {
  it('fails if the client responds with an error', async () => {
    const { url } = await start();
    const session = await handshake(url, { capabilities });
    const events = readEvents(await session.sendCall('sample'));
    const question = await events.message();
    await session.post({ jsonrpc: '2.0', id: question?.id, error: { code: -1, message: 'No' } });
    expect(await events.message()).toMatchObject({ error: { code: -1, message: 'No' } });
  });

  it('is not sent if the client did not declare it (S-SA-01)', async () => {
    const { url } = await start();
    const session = await handshake(url);
    expect(await session.call('ask')).toMatchObject({ error: { code: -32021 } });
  });

  it('is not sent if the client does not accept event streams', async () => {
    const { url } = await start();
    const session = await handshake(url, { capabilities });
    const response = await session.sendCall('ask', {}, { headers: { Accept: 'application/json' } });
    expect(await answerOf(response)).toMatchObject({ error: { code: -32021 } });
  });

  it('fails with a reason if no stream can be opened', async () => {
    const { url } = await start({ maxStreams: 1 });
    const session = await handshake(url, { capabilities });
    await session.listen();
    expect(await session.call('ask')).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/streams/) },
    });
  });

  it('has an id that is unique in the session (S-B-05)', async () => {
    const { url } = await start();
    const session = await handshake(url, { capabilities });
    const ids = [];
    for (let each = 0; each < 3; each++) {
      const events = readEvents(await session.sendCall('roots'));
      const question = await events.message();
      ids.push(question?.id);
      await session.post({ jsonrpc: '2.0', id: question?.id, result: { roots: [] } });
      await events.rest();
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('is cancelled with its request, and a late answer is ignored (JR-26)', async () => {
    const { url } = await start();
    const session = await handshake(url, { capabilities });
    const events = readEvents(await session.sendCall('ask', {}, { id: 'call' }));
    const question = await events.message();
    await session.notify('notifications/cancelled', { requestId: 'call' });
    expect(await events.rest()).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: question?.id } },
    ]);
    const late = await session.post({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } });
    expect(late.status).toBe(202);
    expect((await session.post({ jsonrpc: '2.0', id: 'unknown', result: {} })).status).toBe(202);
    expect(await session.request('ping')).toMatchObject({ result: {} });
  });

  it('can be answered only in its own session', async () => {
    const { url } = await start();
    const [session, other] = await Promise.all([handshake(url, { capabilities }), handshake(url, { capabilities })]);
    const events = readEvents(await session.sendCall('ask'));
    const question = await events.message();
    const answer = (name: string): object => ({
      jsonrpc: '2.0',
      id: question?.id,
      result: { action: 'accept', content: { name } },
    });
    expect((await other.post(answer('Mallory'))).status).toBe(202);
    await session.post(answer('Ann'));
    expect(textOf((await events.rest())[0] ?? {})).toBe('Hello, Ann');
  });

  it('waits for a disconnected client, and is replayed when it resumes', async () => {
    const { url } = await start();
    const session = await handshake(url, { capabilities });
    const first = readEvents(await session.sendCall('ask', {}, { id: 'call' }));
    const prime = await first.next();
    await first.message();
    await first.cancel();
    const again = await session.listen({ 'Last-Event-ID': prime?.id ?? '' });
    const question = await again.message();
    expect(question).toMatchObject({ method: 'elicitation/create' });
    await session.post({ jsonrpc: '2.0', id: question?.id, result: { action: 'decline' } });
    expect(textOf((await again.rest())[0] ?? {})).toBe('decline');
  });
});

describe('a stateless client', () => {
  it.each(questions)('gets the question as a result and retries with the answer: $method', async (question) => {
    const { url } = await start();
    const client = statelessClient(url, { capabilities });
    const response = await client.sendCall(question.name);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { result } = await answerOf(response);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'input-1': { method: question.method } },
    });
    const inputResponses = { 'input-1': question.answer };
    const params = { name: question.name, arguments: {}, inputResponses, requestState: result?.requestState };
    expect(textOf(await client.request('tools/call', params))).toBe(question.says);
  });

  it('is rejected with 400 if it did not declare the capability (S-B-11)', async () => {
    const { url } = await start();
    const response = await statelessClient(url).sendCall('sample', {}, { id: 'mine' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 'mine',
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    });
  });
});
