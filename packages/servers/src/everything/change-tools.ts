import { type Offered, prompt, resource, type Server, type Tool, tool } from '@ccmcp/core';
import { type Counter, counterUri } from './resources.ts';

const extraUri = 'everything://extra';

/** Adds an item that is not there, or removes it. */
function toggle<Item>(offered: Offered<Item>, name: string, create: () => Item): string {
  if (offered.remove(name)) return `Removed ${name}`;
  offered.add(create());
  return `Added ${name}`;
}

/** Tools that change lists and a resource; clients are notified. */
export function changeTools({ tools, resources, prompts }: Server, counter: Counter): Tool[] {
  return [
    tool('toggle_tool', { description: 'Adds the tool "extra", or removes it' }, () =>
      toggle(tools, 'extra', () => tool('extra', { description: 'Added by toggle_tool' }, () => 'Extra')),
    ),

    tool('toggle_resource', { description: `Adds the resource ${extraUri}, or removes it` }, () =>
      toggle(resources, extraUri, () => resource(extraUri, { name: 'extra', mimeType: 'text/plain' }, () => 'Extra')),
    ),

    tool('toggle_prompt', { description: 'Adds the prompt "extra", or removes it' }, () =>
      toggle(prompts, 'extra', () => prompt('extra', { description: 'Added by toggle_prompt' }, () => 'Extra')),
    ),

    tool('update_counter', { description: `Counts ${counterUri} up, and notifies its subscribers` }, () => {
      counter.value += 1;
      resources.updated(counterUri);
      return `The counter is ${counter.value}`;
    }),
  ];
}
