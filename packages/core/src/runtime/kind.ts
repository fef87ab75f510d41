/** Node's `process`, if there is one. */
const { process: node } = globalThis as { process?: Partial<NodeJS.Process> };

/**
 * True in workerd (Cloudflare Workers), whatever its compatibility date. Each request has its own I/O context there:
 * timers end with the request that set them, and a request can't await the I/O of another.
 */
export const isWorkerd: boolean = 'WebSocketPair' in globalThis;

/** True in runtimes with working Node modules: Node, Bun, Deno. */
export const hasNode: boolean = !isWorkerd && typeof node?.versions?.node === 'string';

/** True in Node itself. Other runtimes implement its modules with small differences. */
export const isNode: boolean = hasNode && node?.versions?.bun === undefined && node?.versions?.deno === undefined;

/** Loads a Node module synchronously; undefined outside of Node, and in Node before 20.16. */
export const builtIn: NodeJS.Process['getBuiltinModule'] = (id: string) =>
  hasNode ? process.getBuiltinModule?.(id) : undefined;
