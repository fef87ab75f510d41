import type { Signal } from '@preact/signals';
import type { Connection } from '../../shared/connections.ts';
import { type Draft, draftOf } from '../form/draft.ts';
import { isRecord } from '../form/json.ts';
import { draftFor } from '../model/drafts.ts';

/** Whether a tool is to be called as a task, for those that can be called in both ways; kept like what is filled in for it. */
export function wishForTask(key: string): Signal<Draft> {
  return draftFor(taskKey(key), () => false);
}

/** Names that wish, beside what is filled in. */
export function taskKey(key: string): string {
  return `${key} as a task`;
}

/** Whether whoever calls a tool decides if it becomes a task: where there is no handshake, its server does. */
export function mayBeTask({ server }: Connection, { execution }: Readonly<Record<string, unknown>>): boolean {
  const { tasks } = server?.capabilities ?? {};
  const { requests } = isRecord(tasks) ? tasks : {};
  const { tools } = isRecord(requests) ? requests : {};
  const takesTasks = server?.era === 'handshake' && isRecord(tools) && isRecord(tools.call);
  return takesTasks && isRecord(execution) && execution.taskSupport === 'optional';
}

/** The choice to call a tool as a task. */
export function AsTask({ wish }: { wish: Signal<Draft> }) {
  return (
    <label class="small" title="The server answers at once and goes on working">
      <input
        type="checkbox"
        checked={wish.value.value === true}
        onChange={(event) => (wish.value = draftOf(event.currentTarget.checked))}
      />{' '}
      as a task
    </label>
  );
}
