import { complete } from './completion/complete.ts';
import { initialize } from './initialize.ts';
import { setLevel } from './logging/set-level.ts';
import { initialized } from './notifications/initialized.ts';
import { ping } from './ping.ts';
import { getPrompt } from './prompts/get.ts';
import { listPrompts } from './prompts/list.ts';
import { listResources } from './resources/list.ts';
import { readResource } from './resources/read.ts';
import { subscribe } from './resources/subscribe.ts';
import { listTemplates } from './resources/templates/list.ts';
import { unsubscribe } from './resources/unsubscribe.ts';
import { discover } from './server/discover.ts';
import { listen } from './subscriptions/listen.ts';
import { callTool } from './tools/call.ts';
import { listTools } from './tools/list.ts';
import type { Method } from '../call/call.ts';

/** Every request method of the protocol. The client's revision decides which of them it has. */
export const requestMethods: ReadonlyMap<string, Method> = new Map([
  ['initialize', initialize],
  ['ping', ping],
  ['server/discover', discover],
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', unsubscribe],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
  ['logging/setLevel', setLevel],
  ['subscriptions/listen', listen],
]);

/** The notifications of the protocol that change something, except cancellation, which `handle` does itself. */
export const notificationMethods: ReadonlyMap<string, Method> = new Map([['notifications/initialized', initialized]]);
