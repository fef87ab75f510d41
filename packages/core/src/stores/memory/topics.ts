type Listener = (message: string) => void;

/** Who listens to which topic, and what is still to be told. */
export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #queue: { topic: string; message: string }[] = [];
  #isDelivering = false;

  /** How many topics have listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  publish(topic: string, message: string): void {
    this.#queue.push({ topic, message });
    // Who publishes while being told something must not overtake what others have not been told yet.
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#deliver(next);
    } finally {
      this.#isDelivering = false;
    }
  }

  /** Gives the way to stop. A listener that subscribes twice is told twice. */
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
