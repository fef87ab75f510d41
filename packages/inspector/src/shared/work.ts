/** What is listened to. */
export interface Filter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  readonly uris?: readonly string[];
  /** What extensions add. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A subscription; replaces what was said of it before. */
export interface Subscription {
  readonly subscription: string;
  readonly connection: string;
  readonly state: 'opening' | 'open' | 'closed' | 'broken';
  readonly wanted: Filter;
  /** What of it the server tells. */
  readonly honoured?: Filter;
  /** Whether its resources are read, when it begins and whenever they change. */
  readonly reads?: true;
  readonly says?: string;
}

/** Something that was listened to has changed. */
export interface Change {
  readonly connection: string;
  readonly subscription?: string;
  readonly what: 'tools' | 'prompts' | 'resources' | 'resource';
  readonly uri?: string;
}

/** A request that was saved to be made again. */
export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  /** The label of the target that it was made for. */
  readonly target: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The saved requests, and the file that has them. */
export interface Collection {
  readonly file: string;
  readonly requests: readonly SavedRequest[];
  /** Why the file can't be used. */
  readonly problem?: string;
}

/** Whether events are written to a file. */
export interface RecordingState {
  readonly state: 'on' | 'off';
  /** Its name, in the folder of recordings. */
  readonly file?: string;
  readonly events: number;
  readonly bytes: number;
  readonly problem?: string;
}

/** The first line of a recording; each further line is an event, with texts whole. */
export interface RecordingHead {
  readonly format: 'ccmcp-recording';
  readonly version: 1;
  readonly run: string;
  readonly at: number;
  readonly inspector: string;
}
