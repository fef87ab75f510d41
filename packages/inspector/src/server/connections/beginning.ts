import type { ConnectionStatus } from '../../shared/connections.ts';
import { now } from '../log/event-log.ts';
import type { Target } from '../targets.ts';

const steps = {
  command: { step: 'start', says: 'It has not said anything yet' },
  url: { step: 'reach', says: 'It has not answered yet' },
  own: { step: 'agree', says: 'It answers: the two sides agree on revision and capabilities' },
} as const;

/** How a connection is that is about to be made. */
export function beginning({ kind }: Target): ConnectionStatus {
  return { is: 'connecting', since: now(), ...steps[kind] };
}

/** How a connection is whose other side was heard for the first time. */
export const agreeing = { is: 'connecting', ...steps.own } as const;
