/** A saved request. */
export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  /** Label of its target. */
  readonly target: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Saved requests and their file. */
export interface Collection {
  readonly file: string;
  readonly requests: readonly SavedRequest[];
  /** Why the file is unusable. */
  readonly problem?: string;
}

/** State of the recorder. */
export interface RecordingState {
  readonly state: 'on' | 'off';
  /** File name, in the folder of recordings. */
  readonly file?: string;
  readonly events: number;
  readonly bytes: number;
  readonly problem?: string;
}
