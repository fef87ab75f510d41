/** The session of the handshake era: its id and version, repeated with every request. */
export class HttpSession {
  #id: string | undefined;
  #version: string | undefined;

  get id(): string | undefined {
    return this.#id;
  }

  get headers(): Record<string, string> {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** Starts a session from the answer to `initialize`. */
  begin(id: string | undefined, version: unknown): void {
    this.#id = id;
    this.#version = typeof version === 'string' ? version : undefined;
  }

  /** Ends a session, unless another one has started. True if it did. */
  end(id: string | undefined): boolean {
    if (id === undefined || this.#id !== id) return false;
    this.#id = undefined;
    this.#version = undefined;
    return true;
  }
}
