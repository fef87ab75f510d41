import { describe, expect, it } from 'vitest';
import type { InspectorEvent } from '../../shared/events.ts';
import { AppState } from './app-state.ts';

type EventInput = { [Type in InspectorEvent['type']]: Omit<InspectorEvent<Type>, 'n' | 'at'> }[InspectorEvent['type']];

const connection = 's1';
const message = { type: 'message', connection, from: 'server', kind: 'notification', bytes: 2, text: '{}' } as const;

function worldOf(events: readonly EventInput[]): AppState {
  const appState = new AppState();
  for (const [at, event] of events.entries()) appState.apply({ n: at + 1, at, ...event });
  return appState;
}

describe('the state of a page', () => {
  it('holds no more than a freshly loaded page would receive, however long a call runs', () => {
    const appState = worldOf([
      { type: 'call', call: 'c1', connection, method: 'tools/call', params: '{}', by: 'page' },
      { ...message, call: 'c1' },
      { type: 'question', question: 'q1', connection, method: 'elicitation/create', params: {} },
      { type: 'question', question: 'q2', connection, method: 'elicitation/create', params: {} },
      { type: 'question-end', question: 'q1', outcome: 'answered', ms: 1 },
      { type: 'task', connection, task: 't1', status: 'completed', value: {} },
      { type: 'task', connection, task: 't2', status: 'working', value: {} },
      { ...message, call: 'c1' },
      { type: 'dropped', before: 8 },
    ]);
    expect(appState.calls.get('c1')?.events.map(({ n }) => n)).toEqual([8]);
    expect([...appState.questions.keys()]).toEqual(['q2']);
    expect([...appState.tasks.keys()]).toEqual(['s1/t2']);
    expect(appState.timeline.events.map(({ n }) => n)).toEqual([8]);
  });
});
