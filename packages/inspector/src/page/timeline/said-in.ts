import type { SeenMessage } from '../../shared/messages.ts';
import { isRecord } from '../form/json.ts';
import { textOf } from '../parts/text-of.ts';

const longest = 200;

/** What a notification says in a few words, where it is one of those that say something. */
export function saidIn({ kind, method, text, cut }: SeenMessage): string {
  if (kind !== 'notification' || cut || (method !== 'notifications/message' && method !== 'notifications/progress'))
    return '';
  const params = paramsOf(text);
  if (method === 'notifications/progress') {
    const { progress, total, message } = params;
    return [[progress, total].filter((each) => typeof each === 'number').join(' / '), textOf(message)]
      .filter(Boolean)
      .join(' ');
  }
  const { level, data } = params;
  return `${textOf(level)}: ${typeof data === 'string' ? data : JSON.stringify(data)}`.slice(0, longest);
}

function paramsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) && isRecord(message.params) ? message.params : {};
  } catch {
    return {};
  }
}
