const prefix = 'io.modelcontextprotocol/';
const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientCapabilities`]: { extensions: { [`${prefix}tasks`]: {} } },
};
const concurrency = 16;

interface Result {
  readonly taskId?: string;
  readonly status?: string;
  readonly content?: unknown;
}

/** Calls tools of a server with tasks, over a few connections. */
export class TaskClients {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/mcp`;
  }

  /** Calls a plain tool. */
  call(times: number): Promise<void> {
    return this.#repeat(times, async (id) => {
      const { content } = await this.#callTool('echo', id);
      if (content === undefined) throw new Error('A call got no result');
    });
  }

  /** Runs tasks and reads their results. */
  work(times: number): Promise<void> {
    return this.#repeat(times, async (id) => {
      const taskId = await this.#start('work', id);
      while ((await this.#post('tasks/get', { taskId }, { id, name: taskId })).status !== 'completed');
    });
  }

  /** Starts tasks that wait. */
  wait(times: number): Promise<void> {
    return this.#repeat(times, async (id) => void (await this.#start('wait', id)));
  }

  async #repeat(times: number, work: (id: number) => Promise<void>): Promise<void> {
    let next = 0;
    const run = async (): Promise<void> => {
      while (next < times) await work(next++);
    };
    await Promise.all(Array.from({ length: concurrency }, run));
  }

  async #start(tool: string, id: number): Promise<string> {
    const result = await this.#callTool(tool, id);
    if (result.taskId === undefined) throw new Error(`No task: ${JSON.stringify(result)}`);
    return result.taskId;
  }

  #callTool(name: string, id: number): Promise<Result> {
    return this.#post('tools/call', { name, arguments: { message: 'Hello' } }, { id, name });
  }

  async #post(method: string, params: object, { id, name }: { id: number; name: string }): Promise<Result> {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      'Mcp-Name': name,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    const response = await fetch(this.#url, { method: 'POST', headers, body });
    return ((await response.json()) as { result?: Result }).result ?? {};
  }
}
