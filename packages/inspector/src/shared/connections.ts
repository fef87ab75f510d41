/** How to reach a server: by URL, by a command to start, or in the process of the inspector. */
export type TargetKind = 'url' | 'command' | 'own';

/** A known target. */
export interface KnownTarget {
  readonly id: string;
  /** As written on the command line. */
  readonly label: string;
  readonly kind: TargetKind;
  /** Where it comes from: command line, previous session, built in, client configuration, or host process. */
  readonly origin: 'given' | 'last' | 'ready-made' | 'configured' | 'mounted';
  /** URL or command, without secrets. */
  readonly detail?: string;
}

/** Connection settings. */
export interface ConnectionSettings {
  /** Default: `auto`, which detects it. */
  readonly era?: 'auto' | 'handshake' | 'stateless';
  /** The only revision to use. Default: the newest that both sides support. */
  readonly version?: string;
  /** Timeout of a request without response or progress, in milliseconds. Default: 60 000. */
  readonly timeoutMs?: number;
  readonly logLevel?: string;
  readonly roots?: readonly Root[];
  /** HTTP headers; their values are never sent back to the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server may send sampling requests. Default: true. */
  readonly sampling?: boolean;
  readonly elicitation?: boolean;
}

/** A root of the client. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/** A connection to a server; a server may have several, in different revisions. */
export interface Connection {
  readonly id: string;
  /** Short and unique: `notes`, `notes 2`. */
  readonly label: string;
  readonly kind: TargetKind;
  /** URL or command, without secrets. */
  readonly detail: string;
  /** Public URL of an in-process server. */
  readonly address?: string;
  /** Id of its target, if it has one. */
  readonly target?: string;
  readonly settings: ConnectionSettings;
  readonly status: ConnectionStatus;
  /** Server info; stays while the connection is lost. */
  readonly server?: ServerFacts;
}

/** The self-description of an untrusted server. */
export interface ServerFacts {
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly protocolVersion: string;
  readonly era: 'handshake' | 'stateless';
  readonly transport: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** True with a session; its id is secret. */
  readonly hasSession: boolean;
}

/** Status of a connection. `since` is in milliseconds since 1970. */
export type ConnectionStatus =
  | { readonly is: 'connecting'; readonly since: number; readonly step: ConnectingStep; readonly message: string }
  | { readonly is: 'connected'; readonly since: number }
  | {
      readonly is: 'needs-sign-in';
      readonly since: number;
      readonly message: string;
      readonly advice: string;
      /** Exchanges that led here, the rejection last. */
      readonly exchanges: readonly string[];
    }
  | {
      readonly is: 'failed';
      readonly since: number;
      /** The failure. */
      readonly message: string;
      /** The hint. */
      readonly advice: string;
      readonly exchanges: readonly string[];
      /** Last lines of stderr. */
      readonly stderr?: string;
    }
  | {
      readonly is: 'reconnecting';
      readonly since: number;
      readonly message: string;
      readonly attempt: number;
      /** Time of the next attempt. */
      readonly next: number;
    }
  | { readonly is: 'closed'; readonly since: number };

/** Step of connecting. */
export type ConnectingStep = 'start' | 'reach' | 'sign-in' | 'agree';
