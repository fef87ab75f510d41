import type { Params } from '../../jsonrpc/message.ts';

/** Something on the server is different now: one of its lists, or what a resource reads. */
export type Change = { kind: 'tools' | 'prompts' | 'resources' } | { kind: 'resource'; uri: string };

/** What a notification says has changed, if it is of that sort. */
export function changeOf(method: string, params: Params): Change | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools' };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts' };
    case 'notifications/resources/list_changed':
      return { kind: 'resources' };
    case 'notifications/resources/updated':
      return typeof params.uri === 'string' ? { kind: 'resource', uri: params.uri } : undefined;
    default:
      return undefined;
  }
}
