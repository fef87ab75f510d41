import type { Signal } from '@preact/signals';
import type { Connection } from '../../shared/connections.ts';
import { type Draft, createDraft } from '../form/draft.ts';
import { isRecord } from '../form/json.ts';
import { getDraft } from '../model/drafts.ts';

/** Whether to call a tool as a task, if that is optional; stored like a draft. */
export function getTaskOption(key: string): Signal<Draft> {
  return getDraft(taskOptionKey(key), () => false);
}

/** Storage key of the option. */
export function taskOptionKey(key: string): string {
  return `${key} as a task`;
}

/** Whether the client may choose to run a tool as a task: with a handshake only, else the server decides. */
export function canRunAsTask({ server }: Connection, { execution }: Readonly<Record<string, unknown>>): boolean {
  const { tasks } = server?.capabilities ?? {};
  const { requests } = isRecord(tasks) ? tasks : {};
  const { tools } = isRecord(requests) ? requests : {};
  const takesTasks = server?.era === 'handshake' && isRecord(tools) && isRecord(tools.call);
  return takesTasks && isRecord(execution) && execution.taskSupport === 'optional';
}

/** Checkbox to call a tool as a task. */
export function TaskOption({ option }: { option: Signal<Draft> }) {
  return (
    <label class="small" title="The server responds immediately and keeps working">
      <input
        type="checkbox"
        checked={option.value.value === true}
        onChange={(event) => (option.value = createDraft(event.currentTarget.checked))}
      />{' '}
      as a task
    </label>
  );
}
