/** Filter of a subscription. */
export interface Filter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  readonly uris?: readonly string[];
  /** Filters of extensions. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** State of a subscription; replaces earlier state. */
export interface Subscription {
  readonly subscription: string;
  readonly connection: string;
  readonly state: 'opening' | 'open' | 'closed' | 'broken';
  readonly wanted: Filter;
  /** What the server honours of it. */
  readonly honoured?: Filter;
  /** Whether its resources are read, initially and on every change. */
  readonly reads?: true;
  readonly says?: string;
}

/** A reported change. */
export interface Change {
  readonly connection: string;
  readonly subscription?: string;
  readonly what: 'tools' | 'prompts' | 'resources' | 'resource';
  readonly uri?: string;
}
