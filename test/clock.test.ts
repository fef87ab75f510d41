import { createServer, type Server, tool } from '@ccmcp/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GuessLimiter } from '../packages/core/src/auth/server/guess-limiter.ts';
import { ResponseCache } from '../packages/core/src/client/calls/response-cache.ts';
import { scripted, silent } from '../packages/core/src/client/fixtures/scripted.ts';
import { EraCache } from '../packages/core/src/client/connection/negotiate.ts';
import { connectDirect } from '../packages/core/src/server/fixtures/direct-client.ts';
import { Records } from '../packages/core/src/stores/memory/records.ts';
import { handshake, textOf } from '../packages/core/src/transports/http/server/fixtures/client.ts';
import { start } from '../packages/core/src/transports/http/server/fixtures/start.ts';
import { open, storeKinds } from '../packages/servers/src/notes/fixtures/stores.ts';
import { publishedSources } from './support/imports.ts';

// Durations are measured with `performance.now()`, which no user and no time server changes.

const day = 86_400_000;
const jumps = [
  ['a day ahead', day],
  ['a day back', -day],
] as const;

/** Files that need the time of day, and why. */
const wallClock: Record<string, string> = {
  'packages/core/src/server/log/log.ts': 'lines of a log say when',
  'packages/core/src/features/audit/writer.ts': 'lines of an audit log say when',
  'packages/core/src/features/audit/file.ts': 'a file is as old as its time on the disk, also after a restart',
  'packages/core/src/server/call/request-state.ts':
    'a state may come back to another instance, which shares no other clock',
  'packages/core/src/features/tasks/client/task-keeper.ts': 'what is kept of a task names a time of the server',
  'packages/core/src/auth/jwt.ts': 'assertions name times for others',
  'packages/core/src/auth/client/token-auth.ts':
    'tokens outlive the process; one wrongly taken for good is rejected and renewed',
  'packages/core/src/auth/client/token-endpoint.ts': 'the same',
  'packages/core/src/auth/client/authorization-code.ts': 'the authorization server names a time',
  'packages/core/src/auth/server/oauth/claims.ts': 'tokens name times for others',
  'packages/core/src/auth/server/oauth/options.ts': 'says by which clock a token ends',
  'packages/core/src/auth/server/oauth/dpop-proof.ts':
    'proofs name times for others; a nonce may come back to another instance',
  'packages/core/src/auth/server/oauth/verdict-cache.ts': 'tokens name times for others',
  'packages/core/src/server/peer.ts': 'says by which clock a caller ends',
  'packages/core/src/features/tasks/task-lists.ts': 'instances that share tasks share no other clock',
  'packages/core/src/features/tasks/task-store.ts': 'instances that share tasks share no other clock',
  'packages/core/src/stores/derived/create-store.ts': 'the same: instances share records',
  'packages/core/src/stores/derived/index-limits.ts': 'the same',
  'packages/core/src/stores/derived/record.ts': 'the same',
  'packages/core/src/features/tasks/task-transitions.ts': 'the same',
  'packages/core/src/features/tasks/legacy/session-tasks.ts': 'the same',
  'packages/core/src/features/tasks/task-runner.ts': 'tasks say when they began',
  'packages/core/src/runtime/timers.ts': 'waits for a time of day that a token names',
  'packages/core/src/features/metrics/process.ts': 'metrics say since when a process runs',
  'packages/cli/src/top/figures.ts': 'the same, read again',
  'packages/servers/src/notes/sqlite/repository.ts': 'notes say when they were written',
  'packages/servers/src/ccmcp/entries.ts': 'the trash says when something was deleted',
  'packages/servers/src/moonphase/tools.ts': 'the moon now',
  'packages/gateway/src/credentials/shared-sign-ins.ts': 'instances that share sign-ins share no other clock',
  'packages/gateway/src/credentials/pending-sign-ins.ts': 'the same',
  'packages/inspector/src/probe/auth/challenge.ts': "the server's clock is compared with ours",
  'packages/inspector/src/probe/auth/token.ts': 'tokens name times for others',
  'packages/cli/src/system/file-lock.ts': 'how old a file is says the file system, by the time of day',
  'packages/core/src/testing/authorization-server/jwt.ts': 'tokens name times for others',
  'packages/cli/src/system/environment.ts': 'names of copies say when they were made',
};

function stopClock(toFake?: ('Date' | 'performance')[]): void {
  vi.useFakeTimers(toFake === undefined ? {} : { toFake });
  onTestFinished(() => void vi.useRealTimers());
}

function jump(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe('the time of day', () => {
  it('is read only in listed places (FT-27)', () => {
    const asking = publishedSources().filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)/.test(text));
    expect(asking.map(({ path }) => path).toSorted()).toEqual(Object.keys(wallClock).toSorted());
  });
});

describe.each(jumps)('a wall clock that jumps %s (FT-27)', (_, ms) => {
  it('ends no session, and new sessions have unique ids', async () => {
    const { url } = await start();
    const before = await handshake(url);
    stopClock(['Date']);
    jump(ms);
    const after = await handshake(url);
    expect(textOf(await before.call('echo', { text: 'still here' }))).toContain('still here');
    expect(textOf(await after.call('echo', { text: 'new' }))).toContain('new');
    expect(after.id).not.toBe(before.id);
  });

  it('does not change the lifetime of records', () => {
    stopClock();
    const dropped: string[] = [];
    const bounds = { maxLength: Number.POSITIVE_INFINITY, maxMemberLength: Number.POSITIVE_INFINITY };
    const records = new Records(bounds, (key) => dropped.push(key));
    for (const key of ['a', 'b', 'c']) records.create(key, {}, { kind: 'k', limit: 10, ttlMs: 60_000 });
    jump(ms);
    vi.advanceTimersByTime(59_999);
    expect(dropped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(dropped).toEqual(['a', 'b', 'c']);
  });

  it('neither allows further guesses of keys, nor extends the block of their address', () => {
    stopClock();
    const keys = new GuessLimiter(1);
    const wrong = { principal: undefined, empty: false };
    keys.secondsBlocked('a', wrong);
    jump(ms);
    expect(keys.secondsBlocked('a', wrong)).toBe(10);
    vi.advanceTimersByTime(10_000);
    expect(keys.secondsBlocked('a', wrong)).toBe(0);
  });

  it('does not change the age of cached responses of a client', () => {
    stopClock();
    const cache = new ResponseCache();
    const eras = new EraCache();
    cache.put('tools/list', undefined, { tools: [], ttlMs: 3_600_000 });
    eras.setHandshake('x');
    const remembered = () => [cache.get('tools/list', undefined) !== undefined, eras.isHandshake('x')];
    jump(ms);
    expect(remembered()).toEqual([true, true]);
    vi.advanceTimersByTime(3_600_000);
    expect(remembered()).toEqual([false, false]);
  });

  it('does not change the timeouts of a client', async () => {
    stopClock();
    const { client } = await scripted(({ method }) => (method === 'tools/call' ? silent : undefined), {
      era: 'handshake',
    });
    const seen: unknown[] = [];
    void client.callTool('x', {}, { timeoutMs: 500 }).catch((error: unknown) => seen.push(error));
    jump(ms);
    await vi.advanceTimersByTimeAsync(499);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toMatchObject([{ name: 'TimeoutError' }]);
  });

  it('does not change the timeout of a suspended call that the same process resumes', async () => {
    stopClock(['Date', 'performance']);
    const resume = await suspend(asking());
    jump(ms);
    vi.advanceTimersByTime(600_000);
    expect(await resume()).toBe('decline');
    vi.advanceTimersByTime(1);
    expect(await resume()).toBe('"requestState" has expired: start the request again');
  });

  it.each(storeKinds)('gives notes in $name unique ids, in the order of creation', async ({ fresh }) => {
    const notes = await open(await fresh());
    const draft = { title: 'a', content: 'b', tags: [] };
    const first = await notes.create(draft);
    stopClock(['Date']);
    jump(ms);
    const second = await notes.create(draft);
    const changed = await notes.update(first.id, { title: 'c' });
    expect(changed.updated_at > first.updated_at).toBe(true);
    const listed = await notes.list({ order: 'newest first', limit: 2 });
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe('a suspended call', () => {
  it('that another instance resumes has its age by the time of day', async () => {
    stopClock(['Date', 'performance']);
    const stateSecret = new Uint8Array(32).fill(1);
    const other = asking(stateSecret);
    const resume = await suspend(asking(stateSecret));
    jump(600_000);
    expect(await resume(other)).toBe('decline');
    jump(1);
    expect(await resume(other)).toBe('"requestState" has expired: start the request again');
  });
});

function asking(stateSecret?: Uint8Array): Server {
  const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  return createServer({
    name: 'asking',
    version: '1',
    ...(stateSecret !== undefined && { stateSecret }),
    tools: [tool('ask', {}, async (_, { elicit }) => (await elicit({ message: 'Who?', schema })).action)],
  });
}

/** Starts a call that asks a question; returns the function that continues it. */
async function suspend(server: Server): Promise<(there?: Server) => Promise<unknown>> {
  const capabilities = { elicitation: {} };
  const suspended = await connectDirect(server, { capabilities }).request('tools/call', { name: 'ask' });
  const requestState: unknown = suspended?.result.requestState;
  const inputResponses = { 'input-1': { action: 'decline' } };
  return async (there = server) => {
    const { request } = connectDirect(there, { capabilities });
    const answer = await request('tools/call', { name: 'ask', requestState, inputResponses });
    return answer?.error === undefined ? answer?.result.content[0].text : answer.error.message;
  };
}
