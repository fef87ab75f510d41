import type { Change, Client, Subscription as Open } from '@ccmcp/core/client';
import type { Filter, Subscription } from '../../shared/lists.ts';
import type { EventLog, IdGenerator } from '../log/event-log.ts';

/** Callbacks of a subscription. */
interface Listener {
  readonly onChange?: (change: Change) => void;
  readonly onOpen?: (honoured: Filter) => void;
  /** Whether its resources are read. */
  readonly reads?: boolean;
  /** It ended unexpectedly. */
  readonly onLost?: () => void;
}

type LogState = (state: Subscription['state'], more?: Partial<Subscription>) => void;

/** Subscriptions of one connection. */
export class Subscriptions {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #connection: string;
  readonly #open = new Map<string, Open>();
  /** Subscriptions being closed on purpose. */
  readonly #stopped = new Set<string>();

  constructor(log: EventLog, ids: IdGenerator, connection: string) {
    this.#log = log;
    this.#ids = ids;
    this.#connection = connection;
  }

  /** Subscribes. Returns the id immediately; events report the state. */
  listen(client: Client, wanted: Filter, { onChange, onOpen, onLost, reads = false }: Listener = {}): string {
    const subscription = this.#ids.next('l');
    const about = { subscription, connection: this.#connection, wanted, ...(reads && { reads: true as const }) };
    const logState: LogState = (state, more = {}) => {
      this.#log.add('subscription', { ...about, state, ...more });
      if (state === 'open' && more.honoured !== undefined) onOpen?.(more.honoured);
      if ((state === 'broken' || state === 'closed') && !this.#stopped.delete(subscription)) onLost?.();
    };
    logState('opening');
    void this.#follow(
      subscription,
      client.listen(wanted, { onChange: (change) => this.#logChange(subscription, change, onChange) }),
      logState,
    );
    return subscription;
  }

  /** Logs the states of a subscription until it ends. */
  async #follow(subscription: string, opening: Promise<Open>, logState: LogState): Promise<void> {
    let honoured: Filter | undefined;
    try {
      const open = await opening;
      this.#open.set(subscription, open);
      ({ honoured } = open);
      logState('open', { honoured });
      await open.closed;
      logState('closed', { honoured });
    } catch (error) {
      logState('broken', { ...(honoured && { honoured }), message: (error as Error).message });
    } finally {
      this.#open.delete(subscription);
    }
  }

  has(subscription: string): boolean {
    return this.#open.has(subscription);
  }

  async close(subscription: string): Promise<void> {
    const open = this.#open.get(subscription);
    if (open === undefined) return;
    this.#stopped.add(subscription);
    await open.close();
  }

  #logChange(subscription: string, change: Change, onChange?: (change: Change) => void): void {
    this.#log.add('change', {
      connection: this.#connection,
      subscription,
      what: change.kind,
      ...(change.kind === 'resource' && { uri: change.uri }),
    });
    onChange?.(change);
  }
}
