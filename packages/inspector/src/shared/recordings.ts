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
