import type { Change, Client, Subscription as Open } from '@ccmcp/core/client';
import type { Filter, Subscription } from '../../shared/subscriptions.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';

/** Who wants to know what becomes of a subscription. */
interface Listener {
  readonly onChange?: (change: Change) => void;
  readonly onOpen?: (honoured: Filter) => void;
  /** Whether its resources are read. */
  readonly reads?: boolean;
  /** It ended, and nobody here wanted it to. */
  readonly onLost?: () => void;
}

type Tell = (state: Subscription['state'], more?: Partial<Subscription>) => void;

/** What is listened to on one connection. */
export class Subscriptions {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #connection: string;
  readonly #open = new Map<string, Open>();
  /** Those that somebody here ends. */
  readonly #stopped = new Set<string>();

  constructor(log: EventLog, ids: Ids, connection: string) {
    this.#log = log;
    this.#ids = ids;
    this.#connection = connection;
  }

  /** Begins to listen. Gives its id at once; what comes of it is told by events. */
  listen(client: Client, wanted: Filter, { onChange, onOpen, onLost, reads = false }: Listener = {}): string {
    const subscription = this.#ids.next('l');
    const about = { subscription, connection: this.#connection, wanted, ...(reads && { reads: true as const }) };
    const tell: Tell = (state, more = {}) => {
      this.#log.add('subscription', { ...about, state, ...more });
      if (state === 'open' && more.honoured !== undefined) onOpen?.(more.honoured);
      if ((state === 'broken' || state === 'closed') && !this.#stopped.delete(subscription)) onLost?.();
    };
    tell('opening');
    void this.#follow(
      subscription,
      client.listen(wanted, { onChange: (change) => this.#changed(subscription, change, onChange) }),
      tell,
    );
    return subscription;
  }

  /** Tells what becomes of a subscription, to its end. */
  async #follow(subscription: string, opening: Promise<Open>, tell: Tell): Promise<void> {
    let honoured: Filter | undefined;
    try {
      const open = await opening;
      this.#open.set(subscription, open);
      ({ honoured } = open);
      tell('open', { honoured });
      await open.closed;
      tell('closed', { honoured });
    } catch (error) {
      tell('broken', { ...(honoured && { honoured }), says: (error as Error).message });
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

  #changed(subscription: string, change: Change, onChange?: (change: Change) => void): void {
    this.#log.add('change', {
      connection: this.#connection,
      subscription,
      what: change.kind,
      ...(change.kind === 'resource' && { uri: change.uri }),
    });
    onChange?.(change);
  }
}
