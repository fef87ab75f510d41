import type { InspectorEvent } from '../../shared/events.ts';
import type { Call } from '../model/world.ts';

/** The answers of the server to what a call asked: one, or one for each page of a list. */
export function answersIn({ start, inside }: Call): readonly InspectorEvent<'message'>[] {
  return inside.filter(
    (event): event is InspectorEvent<'message'> =>
      event.type === 'message' &&
      event.from === 'server' &&
      event.method === start.method &&
      (event.kind === 'result' || event.kind === 'error'),
  );
}

/** How long those answers are, in bytes; undefined where none came. */
export function answeredBytes(call: Call): number | undefined {
  const answers = answersIn(call);
  return answers.length === 0 ? undefined : answers.reduce((sum, { bytes }) => sum + bytes, 0);
}
