import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { EventLog } from '../log/event-log.ts';
import { currentCall } from './message-tracker.ts';
import { MessageTracker } from './message-tracker.ts';

function createTracker() {
  const log = new EventLog();
  const events: InspectorEvent[] = [];
  log.listen((event) => void events.push(event));
  const tracker = new MessageTracker(log, 'k1');
  return {
    tracker,
    warnings: () => events.filter((event) => event.type === 'warning').map(({ message }) => message),
    values: () => events.filter((event) => event.type === 'task').map(({ value }) => value),
    seen: () => events.filter((event) => event.type === 'message').length,
    calls: () => events.filter((event) => event.type === 'message').map((event) => [event.method, event.call]),
    tasks: () =>
      events.filter((event) => event.type === 'task').map((event) => [event.status, event.message, event.call]),
    /** Starts a call and sends its request, which requests a task unless `params` says otherwise. */
    begin(call: string, id: number, params: object = { name: 'x', task: {} }) {
      tracker.started(call);
      currentCall.run(call, () => tracker.onFrame('client', say({ id, method: 'tools/call', params })));
    },
    receive: (message: object) => tracker.onFrame('server', say(message)),
  };
}

const say = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const task = (taskId: string, statusMessage: string) => ({ taskId, status: 'working', statusMessage });
const received = (taskId: string, words: string) => ({
  method: 'notifications/tasks/status',
  params: task(taskId, words),
});
const related = (taskId: unknown) => ({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } });

describe('a task in a message', () => {
  it('belongs to the call that created it, even if reported before the response', () => {
    const { begin, receive, tasks, calls } = createTracker();
    begin('c1', 1);
    receive(received('t', 'first'));
    receive({ id: 1, result: { task: task('t', 'first') } });
    receive(received('t', 'second'));
    expect(tasks()).toEqual([
      ['working', 'first', 'c1'],
      ['working', 'second', 'c1'],
    ]);
    expect(calls().map(([, call]) => call)).toEqual(['c1', 'c1', 'c1', 'c1']);
  });

  it('belongs to no call if the running call did not request a task', () => {
    const { begin, receive, tasks, calls } = createTracker();
    begin('c1', 1, { name: 'x' });
    receive(received('t', 'first'));
    expect(tasks()).toEqual([['working', 'first', undefined]]);
    expect(calls().at(-1)).toEqual(['notifications/tasks/status', undefined]);
  });

  it('is attributed to its call among several', () => {
    const { begin, receive, tasks, calls } = createTracker();
    begin('c1', 1);
    begin('c2', 2);
    receive(received('t', 'first'));
    receive({ id: 1, result: { task: task('t', 'first') } });
    receive({ id: 2, result: { task: task('u', 'first') } });
    receive(received('u', 'second'));
    receive({ id: 'q', method: 'elicitation/create', params: { message: 'Which?', ...related('t') } });
    expect(tasks()).toEqual([
      ['working', 'first', undefined],
      ['working', 'first', 'c1'],
      ['working', 'first', 'c2'],
      ['working', 'second', 'c2'],
    ]);
    expect(calls().slice(-2)).toEqual([
      ['notifications/tasks/status', 'c2'],
      ['elicitation/create', 'c1'],
    ]);
  });

  it('is logged for every task that a server lists', () => {
    const { tracker, receive, tasks } = createTracker();
    tracker.started('c1');
    currentCall.run('c1', () => tracker.onFrame('client', say({ id: 1, method: 'tasks/list' })));
    receive({ id: 1, result: { tasks: [task('t', 'first'), task('u', 'other')] } });
    expect(tasks()).toEqual([
      ['working', 'first', undefined],
      ['working', 'other', undefined],
    ]);
  });
});

describe('a flood of tasks', () => {
  const most = 10_000;
  const say = (at: number, status: string, more = '') => ({
    method: 'notifications/tasks/status',
    params: { taskId: `t${at}`, status, more },
  });

  it('is logged up to a limit while they run, with a warning', () => {
    const { receive, tasks, warnings } = createTracker();
    for (let at = 0; at < most + 100; at += 1) receive(say(at, 'working'));
    expect(tasks()).toHaveLength(most);
    expect(warnings()).toEqual([expect.stringContaining('more than 10000 running tasks')]);
    receive(say(1, 'completed'));
    receive(say(most + 1, 'working'));
    expect(tasks()).toHaveLength(most + 2);
  });

  it('is logged when they end, without long values', () => {
    const { receive, tasks, values } = createTracker();
    for (let at = 0; at < most + 100; at += 1) receive(say(at, 'completed'));
    expect(tasks()).toHaveLength(most + 100);
    receive(say(0, 'failed', 'x'.repeat(10_000)));
    expect(values().at(-1)).toEqual({});
  });
});

const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
const unspeakable = { toString: 1, valueOf: 1 };
const notification = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}`;

describe('a malicious message', () => {
  it.each([
    ['a batch that is nested deeply', `[${notification('x', `{"a":${deep}}`)}]`],
    ['a log message that is nested deeply', notification('message', `{"level":"info","data":${deep}}`)],
    ['a level that is nested deeply', notification('message', `{"level":${deep},"data":1}`)],
    ['a level that is no text and becomes none', notification('message', JSON.stringify({ level: unspeakable }))],
    ['a task that is nested deeply', notification('tasks/status', `{"taskId":"t","status":"working","a":${deep}}`)],
    ['what a task says, nested deeply', notification('tasks', `{"taskId":"t","status":"a","statusMessage":${deep}}`)],
    ['a task that is no text and becomes none', notification('progress', JSON.stringify(related(unspeakable)))],
    ['an id that is nested deeply', `{"jsonrpc":"2.0","id":${deep},"result":{}}`],
    ['an error that is nested deeply', `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":${deep}}}`],
    ['names that every object has', '{"jsonrpc":"2.0","id":"__proto__","method":"constructor","__proto__":{"a":1}}'],
    ['lists in the place of objects', '[[],null,{"jsonrpc":"2.0","method":"x","params":[]},{"result":null},1]'],
  ])('is logged like any other: %s', (_, text) => {
    const { tracker, seen } = createTracker();
    tracker.onFrame('server', text);
    expect(seen()).toBeGreaterThan(0);
  });
});
