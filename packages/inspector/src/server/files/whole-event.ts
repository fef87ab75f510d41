import type { InspectorEvent } from '../../shared/events.ts';

/** An event as JSON, with the text of which it had the beginning only. */
export function wholeEvent(event: InspectorEvent, whole: string | undefined): string {
  if (whole === undefined || !('cut' in event)) return JSON.stringify(event);
  const { cut: _, ...rest } = event;
  if (rest.type === 'message') return JSON.stringify({ ...rest, text: whole });
  if (rest.type === 'call') return JSON.stringify({ ...rest, params: whole });
  return rest.type === 'call-end'
    ? JSON.stringify({ ...rest, result: JSON.parse(whole) as unknown })
    : JSON.stringify(event);
}
