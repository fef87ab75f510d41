type Listener = (message: string) => void;

/** Listeners by topic, and a queue of undelivered messages. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #queue: { topic: string; message: string }[] = [];
  #isDelivering = false;

  /** The number of topics with listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  publish(topic: string, message: string): void {
    this.#queue.push({ topic, message });
    // A listener that publishes must not overtake messages that are still being delivered.
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#deliver(next);
    } finally {
      this.#isDelivering = false;
    }
  }

  /** Returns a function that unsubscribes. A listener that subscribed twice gets each message twice. */
  subscribe(topic: string, listener: Listener): () => void {
    let listeners = this.#listeners.get(topic);
    if (listeners === undefined) {
      listeners = new Set();
      this.#listeners.set(topic, listeners);
    }
    const ofTopic = listeners;
    const own: Listener = (message) => listener(message);
    ofTopic.add(own);
    return () => {
      ofTopic.delete(own);
      if (ofTopic.size === 0 && this.#listeners.get(topic) === ofTopic) this.#listeners.delete(topic);
    };
  }

  clear(): void {
    this.#listeners.clear();
  }

  #deliver({ topic, message }: { topic: string; message: string }): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(message);
  }
}
