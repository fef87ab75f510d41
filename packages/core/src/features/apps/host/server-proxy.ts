import { invalidParams, quoteBriefly } from '../../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import { toolUiOf } from '../view-meta.ts';
import type { AppHostOptions } from './options.ts';
import { listAll } from './read-page.ts';
import { deniedError } from './app-error.ts';

/** True if the model may see and call a tool. Other tools are for views only. */
export function isForModel(tool: Pick<ToolListing, '_meta'>): boolean {
  return toolUiOf(tool).visibility?.includes('model') ?? true;
}

function isForViews(tool: Pick<ToolListing, '_meta'>): boolean {
  return toolUiOf(tool).visibility?.includes('app') ?? true;
}

/** Proxies requests of a view to its server: only the allowed methods, and only tools that are visible to views. */
export class ServerProxy {
  readonly #options: Pick<AppHostOptions, 'server' | 'tools'>;
  #hidden: Promise<ReadonlySet<string>> | undefined;

  constructor(options: Pick<AppHostOptions, 'server' | 'tools'>) {
    this.#options = options;
  }

  /** Called when the list of tools changed. */
  invalidateTools(): void {
    this.#hidden = undefined;
  }

  async callTool({ name, arguments: args = {} }: Params, signal: AbortSignal): Promise<object> {
    if (typeof name !== 'string') throw invalidParams('"name" must be the name of a tool');
    if (!isObject(args)) throw invalidParams('"arguments" must be an object');
    const hidden = await this.#hiddenTools();
    signal.throwIfAborted();
    if (hidden.has(name)) throw deniedError(`The tool ${quoteBriefly(name)} is not for views`);
    const { server } = this.#options;
    if (server.callTool !== undefined) return server.callTool(name, args, { signal });
    return server.request('tools/call', { name, arguments: args }, { signal });
  }

  async listTools(params: Params, signal: AbortSignal): Promise<object> {
    const page = (await this.list('tools/list', params, signal)) as { tools?: unknown };
    const rows = Array.isArray(page.tools) ? page.tools.filter(isObject) : [];
    return { ...page, tools: rows.filter(isForViews) };
  }

  list(method: string, { cursor }: Params, signal: AbortSignal): Promise<object> {
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('"cursor" must be a string');
    return this.#options.server.request(method, cursor === undefined ? {} : { cursor }, { signal });
  }

  readResource({ uri }: Params, signal: AbortSignal): Promise<object> {
    if (typeof uri !== 'string') throw invalidParams('"uri" must be an address');
    return this.#options.server.request('resources/read', { uri }, { signal });
  }

  #hiddenTools(): Promise<ReadonlySet<string>> {
    this.#hidden ??= this.#readHidden().catch((error: unknown) => {
      this.#hidden = undefined;
      throw error;
    });
    return this.#hidden;
  }

  async #readHidden(): Promise<ReadonlySet<string>> {
    const { server, tools: known } = this.#options;
    const tools = known === undefined ? ((await listAll(server, 'tools')) as unknown as ToolListing[]) : await known();
    return new Set(tools.filter((tool) => !isForViews(tool)).map(({ name }) => name));
  }
}
