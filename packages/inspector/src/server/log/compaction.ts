import { isTaskFinished } from '../../shared/calls.ts';
import type { InspectorEvent } from '../../shared/events.ts';

/** The key of which an event is the latest state, and the keys it supersedes. */
interface Compaction {
  readonly key: string | undefined;
  readonly superseded: readonly string[];
  /** Supersedes every key with this prefix. */
  readonly supersededPrefix?: string;
}

/** Log compaction: an event that describes a state is retained until a newer one supersedes it; other events may be evicted. */
export function compactionOf(event: InspectorEvent): Compaction {
  switch (event.type) {
    case 'targets':
    case 'collection':
    case 'recording':
    case 'model':
      return supersede(event.type, false);
    case 'connection':
      return supersede(`${connectionPrefix(event.connection.id)}connection`, false);
    case 'forgotten':
      return { key: undefined, superseded: [], supersededPrefix: connectionPrefix(event.connection) };
    case 'list':
      return supersede(`${connectionPrefix(event.connection)}list ${event.kind}`, false);
    case 'skills':
      return supersede(`${connectionPrefix(event.connection)}skills`, false);
    case 'skill':
      return supersede(`${connectionPrefix(event.connection)}skill ${event.uri}`, false);
    case 'task':
      return supersede(`${connectionPrefix(event.connection)}task ${event.task}`, isTaskFinished(event.status));
    case 'subscription':
      return supersede(`subscription ${event.subscription}`, event.state !== 'open' && event.state !== 'opening');
    case 'call':
    case 'call-end':
      return supersede(`call ${event.call}`, event.type === 'call-end');
    case 'question':
    case 'question-end':
      return event.type === 'question'
        ? supersede(`question ${event.question}`, false)
        : {
            key: undefined,
            superseded: [`question ${event.question}`, `ask ${event.question}`, `asked ${event.question}`],
          };
    case 'model-ask':
      return supersede(`ask ${event.question}`, false);
    case 'model-end':
      // Only drafts and failures that the user has yet to see.
      return event.outcome === 'drafted' || event.outcome === 'failed'
        ? supersede(`asked ${event.question}`, false)
        : supersede(`ask ${event.question}`, true);
    case 'by-itself':
      return supersede(`${connectionPrefix(event.connection)}by-itself`, false);
    case 'sign-in':
      return supersede(`sign-in ${event.flow}`, event.status === 'done' || event.status === 'cancelled');
    default:
      return { key: undefined, superseded: [] };
  }
}

function supersede(key: string, isOver: boolean): Compaction {
  return isOver ? { key: undefined, superseded: [key] } : { key, superseded: [] };
}

/** Key prefix of a connection. */
function connectionPrefix(connection: string): string {
  return `of ${connection} `;
}
