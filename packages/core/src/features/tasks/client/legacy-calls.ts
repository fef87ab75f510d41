import type { ClientMiddleware, FollowedRequest, KnownServer } from '../../../client/extension.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { ServerCapabilities } from '../../../protocol/capabilities.ts';
import type { TaskKeeper } from './task-keeper.ts';

/** Maximum number of cached tools. */
const maxTools = 10_000;
/** Maximum number of pages of a list. */
export const maxPages = 10_000;

/** True if the server's tools can be called as legacy tasks. */
export function supportsLegacyTasks(capabilities: ServerCapabilities): boolean {
  const { tasks } = capabilities as { tasks?: unknown };
  const { requests } = isObject(tasks) ? tasks : {};
  const { tools } = isObject(requests) ? requests : {};
  return isObject(tools) && isObject(tools.call);
}

/** Whether a listed tool supports or requires legacy tasks. */
export function legacyTaskSupport(tool: unknown): 'forbidden' | 'optional' | 'required' {
  const { execution } = isObject(tool) ? tool : {};
  const { taskSupport } = isObject(execution) ? execution : {};
  return taskSupport === 'optional' || taskSupport === 'required' ? taskSupport : 'forbidden';
}

/**
 * Middleware that calls tools as legacy tasks if they require it or the caller passes `task`, and waits for the result.
 */
export function legacyTaskCalls(
  { era, capabilities }: KnownServer,
  keeper: TaskKeeper | undefined,
): ClientMiddleware | undefined {
  if (era !== 'handshake' || !supportsLegacyTasks(capabilities)) return undefined;
  const known = new Map<unknown, ReturnType<typeof legacyTaskSupport>>();
  const learn = (tools: unknown, isFirst: boolean): void => {
    if (isFirst) known.clear();
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (isObject(tool) && known.size < maxTools) known.set(tool.name, legacyTaskSupport(tool));
    }
  };
  return async (request, next) => {
    const { method, params = {} } = request;
    if (method === 'tools/list') {
      const page = await next();
      learn(page.tools, params.cursor === undefined);
      return page;
    }
    if (method !== 'tools/call') return next();
    const isWanted = isObject(params.task);
    // Not every server reports with an error that a tool requires a task, so the list is loaded first.
    if (!isWanted && !known.has(params.name)) await loadTools(request, learn);
    if (!isWanted && known.get(params.name) !== 'required') return next();
    const answer = await next(isWanted ? params : { ...params, task: {} });
    if (!isObject(answer.task)) return answer;
    const { followLegacyTask } = await import('./follow-task.ts');
    return followLegacyTask(answer.task, request, keeper);
  };
}

async function loadTools(
  { request }: FollowedRequest,
  learn: (tools: unknown, isFirst: boolean) => void,
): Promise<void> {
  let cursor: unknown;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await request('tools/list', cursor === undefined ? undefined : { cursor });
    learn(page.tools, cursor === undefined);
    cursor = page.nextCursor;
    if (typeof cursor !== 'string') return;
  }
}
