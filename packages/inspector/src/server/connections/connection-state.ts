import type { Client, HttpAuth } from '@ccmcp/core/client';
import { explainError } from '../../probe/explain-error.ts';
import type { Connection, ConnectionSettings, ConnectionStatus, ServerFacts } from '../../shared/connections.ts';
import { type EventLog, now } from '../log/event-log.ts';
import { describeTarget, type Target } from '../targets.ts';
import { describeServer, initialStatus, maskSettings, negotiatingStatus } from './connection-info.ts';
import { HeldDefinitions } from './held-definitions.ts';

/** Options of a connection. */
export interface ConnectionOptions {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  /** Id of the target, if it has one. */
  readonly targetId: string | undefined;
  readonly settings: ConnectionSettings;
}

const maxStderr = 4000;

/** The state of a connection: its target, settings, status and server. The page gets each status from the log. */
export class ConnectionState {
  readonly id: string;
  readonly label: string;
  readonly target: Target;
  /** What differs from the lock of the target. */
  readonly held: HeldDefinitions;
  settings: ConnectionSettings;
  /** Credentials from signing in. */
  auth: HttpAuth | undefined;
  readonly #log: EventLog;
  readonly #targetId: string | undefined;
  #status: ConnectionStatus;
  #server: ServerFacts | undefined;
  #stderr = '';

  constructor(log: EventLog, { id, label, target, targetId, settings }: ConnectionOptions, auth?: HttpAuth) {
    this.id = id;
    this.label = label;
    this.target = target;
    this.held = new HeldDefinitions(log, id);
    this.settings = settings;
    this.auth = auth;
    this.#log = log;
    this.#targetId = targetId;
    this.#status = initialStatus(target);
  }

  get status(): ConnectionStatus['is'] {
    return this.#status.is;
  }

  /** The negotiated revision, if known. */
  get revision(): string | undefined {
    return this.#server?.protocolVersion;
  }

  /** The target with the settings' headers and the credentials from signing in. */
  get effectiveTarget(): Target {
    const { target, auth } = this;
    if (target.kind !== 'url') return target;
    const headers = { ...target.headers, ...this.settings.headers };
    return { ...target, headers, ...(auth !== undefined && { auth: async () => auth }) };
  }

  setStatus(status: ConnectionStatus): void {
    this.#status = status;
    this.publish();
  }

  /** An attempt to connect starts. */
  onAttempt(): void {
    this.#stderr = '';
    this.held.clear();
    this.setStatus(initialStatus(this.target));
  }

  /** The server responded: negotiation starts. */
  onResponse(): void {
    if (this.#status.is === 'connecting' && this.#status.step !== 'agree')
      this.setStatus({ ...negotiatingStatus, since: this.#status.since });
  }

  /** A command wrote to stderr. */
  onStderr(text: string): void {
    this.onResponse();
    this.#stderr = (this.#stderr + text).slice(-maxStderr);
    this.#log.add('output', { connection: this.id, text: text.slice(0, maxStderr) });
  }

  onConnected(client: Client): void {
    this.#server = describeServer(client, this.target);
    this.setStatus({ is: 'connected', since: now() });
  }

  /** The connection failed, or wants credentials. `exchanges` led to it. */
  onFailure(error: unknown, exchanges: readonly string[]): void {
    const { message, advice, wantsSignIn } = explainError(error, this.target.kind);
    if (wantsSignIn && this.target.kind === 'url') {
      this.setStatus({ is: 'needs-sign-in', since: now(), message, advice, exchanges });
      return;
    }
    const stderr = dropRepeat(this.#stderr.trim());
    this.setStatus({ is: 'failed', since: now(), message, advice, exchanges, ...(stderr !== '' && { stderr }) });
  }

  /** Logs the current state, for the page. */
  publish(): void {
    const { id, label, target, settings } = this;
    const connection: Connection = {
      id,
      label,
      kind: target.kind,
      detail: describeTarget(target),
      ...(target.kind === 'own' && target.address !== undefined && { address: target.address }),
      ...(this.#targetId !== undefined && { target: this.#targetId }),
      settings: maskSettings(settings),
      status: this.#status,
      ...(this.#server !== undefined && { server: this.#server }),
    };
    this.#log.add('connection', { connection });
  }
}

/** A command that exits immediately is started again for the older era, and repeats its stderr. */
function dropRepeat(stderr: string): string {
  const half = stderr.slice(Math.ceil(stderr.length / 2)).trim();
  return stderr === `${half}\n${half}` ? half : stderr;
}
