import { type ServedAppSandbox, serveAppSandbox } from '@ccmcp/core/apps-sandbox';

/** The second origin of an inspector, on which views of servers are held; it is there from when the page is first opened. */
export class ViewSandboxes {
  readonly #served = new Map<number, Promise<ServedAppSandbox | undefined>>();

  /** Where pages that were opened at this port may show views; undefined where that can't be. */
  async urlFor(port: number | undefined): Promise<string | undefined> {
    if (port === undefined) return undefined;
    const hosts = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    // Without a port for it there are no views, and the rest of the page is as good.
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
