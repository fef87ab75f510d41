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
