import type { Calls } from './connections/calls.ts';
import type { Connections } from './connections/connections.ts';
import type { Questions } from './connections/questions.ts';
import type { Destinations } from './target-resolver.ts';
import type { Doctor } from './doctor.ts';
import type { SavedRequests } from './files/saved-requests.ts';
import type { Recorder } from './files/recorder.ts';
import type { Ids } from './id-generator.ts';
import type { EventLog } from './log/event-log.ts';
import type { CurrentLook } from './look.ts';
import type { Models } from './model/models.ts';
import type { SignIns } from './sign-in/sign-ins.ts';

/** What an inspector is made of, as its requests need it. */
export interface InspectorParts {
  readonly log: EventLog;
  readonly ids: Ids;
  readonly destinations: Destinations;
  readonly connections: Connections;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly models: Models;
  readonly doctor: Doctor;
  readonly signIns: SignIns;
  readonly collection: SavedRequests;
  readonly recorder: Recorder;
  /** Absent where the browser keeps how the page looks. */
  readonly look?: CurrentLook | undefined;
  /** The version of the inspector. */
  readonly version: string;
}
