/** What is there of Node's global object. */
const { process: node } = globalThis as { process?: Partial<NodeJS.Process> };

/**
 * True in workerd (Cloudflare Workers), of whatever compatibility date. Each request has a context of its own there: a timer
 * ends with the request that set it, and what one request waits for can't be done by another.
 */
export const inWorkers: boolean = 'WebSocketPair' in globalThis;

/** True where Node's own modules do what they do in Node: Node itself, Bun, Deno. */
export const hasNode: boolean = !inWorkers && typeof node?.versions?.node === 'string';

/** True in Node itself: what others do in its name is the same to those who use it, but not to the last detail. */
export const isNode: boolean = hasNode && node?.versions?.bun === undefined && node?.versions?.deno === undefined;

/** A module of Node's without waiting for it; undefined where there is none, and in Node before 20.16. */
export const builtIn: NodeJS.Process['getBuiltinModule'] = (id: string) =>
  hasNode ? process.getBuiltinModule?.(id) : undefined;
