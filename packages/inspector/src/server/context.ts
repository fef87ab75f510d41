import type { Calls } from './connections/calls.ts';
import type { Connections } from './connections/connections.ts';
import type { Questions } from './connections/questions.ts';
import type { Doctor } from './doctor.ts';
import type { Recorder } from './files/recorder.ts';
import type { SavedRequests } from './files/saved-requests.ts';
import type { EventLog, IdGenerator } from './log/event-log.ts';
import type { PageSettingsCache } from './page-settings.ts';
import type { Models } from './model/models.ts';
import type { SignIns } from './sign-in/sign-ins.ts';
import type { TargetResolver } from './target-resolver.ts';

/** Services of an inspector, for its request handlers. */
export interface InspectorContext {
  readonly log: EventLog;
  readonly ids: IdGenerator;
  readonly destinations: TargetResolver;
  readonly connections: Connections;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly models: Models;
  readonly doctor: Doctor;
  readonly signIns: SignIns;
  readonly collection: SavedRequests;
  readonly recorder: Recorder;
  /** Absent if the browser stores the settings of the page. */
  readonly pageSettings?: PageSettingsCache | undefined;
  /** Version of the inspector. */
  readonly version: string;
}
