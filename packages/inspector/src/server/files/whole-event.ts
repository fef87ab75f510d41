import type { InspectorEvent } from '../../shared/events.ts';
import type { ChangedDefinition } from '../../shared/lists.ts';
import { written } from '../log/written.ts';

/** An event as JSON, with the text of which it had the beginning only, or a summary. */
export function wholeEvent(event: InspectorEvent, whole: string | undefined): string {
  if (whole !== undefined && event.type === 'list' && event.changes !== undefined) {
    const definitions = JSON.parse(whole) as readonly ChangedDefinition[];
    return written({ ...event, changes: { ...event.changes, definitions } });
  }
  if (whole === undefined || !('cut' in event)) return written(event);
  const { cut: _, ...rest } = event;
  if (rest.type === 'message') return written({ ...rest, text: whole });
  if (rest.type === 'call') return written({ ...rest, params: whole });
  return rest.type === 'call-end' ? written({ ...rest, result: JSON.parse(whole) as unknown }) : written(event);
}
