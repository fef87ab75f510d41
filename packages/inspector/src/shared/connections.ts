/** How a server is reached: by address, by a command that is started, or in the process of the inspector. */
export type TargetKind = 'url' | 'command' | 'own';

/** Something that can be connected to by its id. */
export interface KnownTarget {
  readonly id: string;
  /** As it is written on the command line. */
  readonly label: string;
  readonly kind: TargetKind;
  /** Who names it: whoever started the inspector or had it connected to before, the inspector itself, or a file of a client. */
  readonly origin: 'given' | 'last' | 'ready-made' | 'configured' | 'mounted';
  /** What is started or called, without secrets. */
  readonly detail?: string;
}

/** How a connection is to be made. */
export interface ConnectionTerms {
  /** Default: `auto`, which finds out. */
  readonly era?: 'auto' | 'handshake' | 'stateless';
  /** The one revision to be spoken. Default: the newest that both sides know. */
  readonly version?: string;
  /** How long a request may be without an answer or progress. Default: 60 000. */
  readonly timeoutMs?: number;
  readonly logLevel?: string;
  readonly roots?: readonly Root[];
  /** Headers for an address; their values never come back to the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server may ask for samples of a model, which a person answers. Default: true. */
  readonly sampling?: boolean;
  readonly elicitation?: boolean;
}

/** A folder that the client says it works in. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** A server, as it is connected to: two of them may be the same server in two revisions. */
export interface Connection {
  readonly id: string;
  /** Short, and unlike that of every other connection: `notes`, `notes 2`. */
  readonly label: string;
  readonly kind: TargetKind;
  /** What is started or called, without secrets. */
  readonly detail: string;
  /** Where others reach a server that runs in the process of the inspector. */
  readonly address?: string;
  /** The target it was made from, where that has an id. */
  readonly target?: string;
  readonly terms: ConnectionTerms;
  readonly status: ConnectionStatus;
  /** What is known of the server; stays while the connection is lost. */
  readonly server?: ServerFacts;
}

/** What a server says of itself. All of it is data of a stranger. */
export interface ServerFacts {
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly protocolVersion: string;
  readonly era: 'handshake' | 'stateless';
  readonly transport: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** True where there is a session; its id is a secret. */
  readonly hasSession: boolean;
}

/** How a connection is. `since` is a time of day in milliseconds. */
export type ConnectionStatus =
  | { readonly is: 'connecting'; readonly since: number; readonly step: ConnectingStep; readonly says: string }
  | { readonly is: 'connected'; readonly since: number }
  | {
      readonly is: 'needs-sign-in';
      readonly since: number;
      readonly says: string;
      readonly advice: string;
      /** The exchanges that led here, the refusal last. */
      readonly exchanges: readonly string[];
    }
  | {
      readonly is: 'failed';
      readonly since: number;
      /** What failed, in a sentence. */
      readonly says: string;
      /** What to do about it. */
      readonly advice: string;
      readonly exchanges: readonly string[];
      /** The last words of a command on stderr. */
      readonly stderr?: string;
    }
  | {
      readonly is: 'reconnecting';
      readonly since: number;
      readonly says: string;
      readonly attempt: number;
      /** When it is tried again. */
      readonly next: number;
    }
  | { readonly is: 'closed'; readonly since: number };

/** What a connection that is being made waits for. */
export type ConnectingStep = 'start' | 'reach' | 'sign-in' | 'agree';
