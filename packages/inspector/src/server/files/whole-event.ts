import type { InspectorEvent } from '../../shared/events.ts';
import type { ChangedDefinition } from '../../shared/lists.ts';

/** An event as JSON, with the text of which it had the beginning only, or a summary. */
export function wholeEvent(event: InspectorEvent, whole: string | undefined): string {
  if (whole !== undefined && event.type === 'list' && event.changes !== undefined) {
    const definitions = JSON.parse(whole) as readonly ChangedDefinition[];
    return JSON.stringify({ ...event, changes: { ...event.changes, definitions } });
  }
  if (whole === undefined || !('cut' in event)) return JSON.stringify(event);
  const { cut: _, ...rest } = event;
  if (rest.type === 'message') return JSON.stringify({ ...rest, text: whole });
  if (rest.type === 'call') return JSON.stringify({ ...rest, params: whole });
  return rest.type === 'call-end'
    ? JSON.stringify({ ...rest, result: JSON.parse(whole) as unknown })
    : JSON.stringify(event);
}
