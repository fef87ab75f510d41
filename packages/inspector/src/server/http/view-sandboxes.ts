import { type ServedAppSandbox, serveAppSandbox } from '@ccmcp/core/apps-sandbox';

/** Serves the sandbox origin of views, started when the page is first opened. */
export class ViewSandboxes {
  readonly #served = new Map<number, Promise<ServedAppSandbox | undefined>>();

  /** Sandbox URL for pages at this port; undefined if no port was free. */
  async urlFor(port: number | undefined): Promise<string | undefined> {
    if (port === undefined) return undefined;
    const hosts = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    // Without a free port the page works, but shows no views.
    const served = this.#served.get(port) ?? serveAppSandbox({ hosts }).catch(() => undefined);
    this.#served.set(port, served);
    return (await served)?.url;
  }

  async close(): Promise<void> {
    const all = await Promise.all(this.#served.values());
    this.#served.clear();
    await Promise.all(all.flatMap((served) => served?.close() ?? []));
  }
}
