import { taskIsOver } from '../../shared/calls.ts';
import type { InspectorEvent } from '../../shared/events.ts';

/** What an event is the latest word on, and which earlier ones are over with it. */
interface Standing {
  readonly key: string | undefined;
  readonly over: readonly string[];
  /** Everything is over whose key begins with this. */
  readonly allOver?: string;
}

/**
 * Tells events that say how something is from those that say what happened: the former must be known for as long as nothing newer
 * is said of the same thing.
 */
export function standing(event: InspectorEvent): Standing {
  switch (event.type) {
    case 'targets':
    case 'collection':
    case 'recording':
    case 'model':
      return until(event.type, false);
    case 'connection':
      return until(`${of(event.connection.id)}connection`, false);
    case 'forgotten':
      return { key: undefined, over: [], allOver: of(event.connection) };
    case 'list':
      return until(`${of(event.connection)}list ${event.kind}`, false);
    case 'skills':
      return until(`${of(event.connection)}skills`, false);
    case 'skill':
      return until(`${of(event.connection)}skill ${event.uri}`, false);
    case 'task':
      return until(`${of(event.connection)}task ${event.task}`, taskIsOver(event.status));
    case 'subscription':
      return until(`subscription ${event.subscription}`, event.state !== 'open' && event.state !== 'opening');
    case 'call':
    case 'call-end':
      return until(`call ${event.call}`, event.type === 'call-end');
    case 'question':
    case 'question-end':
      return event.type === 'question'
        ? until(`question ${event.question}`, false)
        : {
            key: undefined,
            over: [`question ${event.question}`, `ask ${event.question}`, `asked ${event.question}`],
          };
    case 'model-ask':
      return until(`ask ${event.question}`, false);
    case 'model-end':
      // Only what a person is still to look at.
      return event.outcome === 'drafted' || event.outcome === 'failed'
        ? until(`asked ${event.question}`, false)
        : until(`ask ${event.question}`, true);
    case 'by-itself':
      return until(`${of(event.connection)}by-itself`, false);
    case 'sign-in':
      return until(`sign-in ${event.flow}`, event.status === 'done' || event.status === 'cancelled');
    default:
      return { key: undefined, over: [] };
  }
}

function until(key: string, isOver: boolean): Standing {
  return isOver ? { key: undefined, over: [key] } : { key, over: [] };
}

/** How the keys of what belongs to a connection begin. */
function of(connection: string): string {
  return `of ${connection} `;
}
