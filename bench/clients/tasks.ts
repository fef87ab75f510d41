import { Agent, request } from 'node:http';

const M = 'io.modelcontextprotocol/';
const meta = {
  [`${M}protocolVersion`]: '2026-07-28',
  [`${M}clientCapabilities`]: { extensions: { [`${M}tasks`]: {} } },
};

interface Answer {
  readonly result?: { readonly taskId?: string; readonly status?: string; readonly content?: unknown };
}

/** Calls tools of a server with tasks over a few connections. */
export class TaskClients {
  readonly #port: number;
  readonly #agent: Agent;
  readonly #count: number;

  constructor(port: number, count = 16) {
    this.#port = port;
    this.#count = count;
    this.#agent = new Agent({ keepAlive: true, maxSockets: count });
  }

  /** Calls a plain tool so many times. */
  async call(times: number): Promise<void> {
    await this.#each(times, async (id) => {
      const { result } = await this.#callTool('echo', id);
      if (result?.content === undefined) throw new Error('A call was not answered with its result');
    });
  }

  /** Has so many tasks made and done, and reads what came of each. */
  async work(times: number): Promise<void> {
    await this.#each(times, async (id) => {
      const taskId = await this.#begin('work', id);
      while ((await this.#status(taskId, id)) !== 'completed');
    });
  }

  /** Has so many tasks made that wait. */
  async wait(times: number): Promise<void> {
    await this.#each(times, async (id) => void (await this.#begin('wait', id)));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #each(times: number, work: (id: number) => Promise<void>): Promise<void> {
    let next = 0;
    const one = async (): Promise<void> => {
      while (next < times) await work(next++);
    };
    await Promise.all(Array.from({ length: this.#count }, one));
  }

  async #begin(tool: string, id: number): Promise<string> {
    const { result } = await this.#callTool(tool, id);
    if (result?.taskId === undefined) throw new Error(`No task was made: ${JSON.stringify(result)}`);
    return result.taskId;
  }

  async #status(taskId: string, id: number): Promise<string | undefined> {
    return (await this.#post('tasks/get', { taskId }, { id, name: taskId })).result?.status;
  }

  #callTool(name: string, id: number): Promise<Answer> {
    return this.#post('tools/call', { name, arguments: { message: 'Hello' } }, { id, name });
  }

  #post(method: string, params: object, { id, name }: { id: number; name: string }): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      'Mcp-Name': name,
    };
    return new Promise((resolve, reject) => {
      const target = { port: this.#port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent: this.#agent, headers };
      const sent = request(target, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(JSON.parse(text) as Answer));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
