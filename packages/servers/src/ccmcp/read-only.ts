import type { Middleware, Tool } from '@ccmcp/core';

/** Says why a tool is not there that changes files, to whoever calls it nonetheless. */
export function refuseChanges(withheld: readonly Tool[]): Middleware {
  const names = new Set(withheld.map(({ name }) => name));
  return (call, next) => {
    const { name } = call.params;
    if (call.method !== 'tools/call' || typeof name !== 'string' || !names.has(name)) return next();
    const text = `This server is read-only: ${name} is not offered. It was started with --read-only; files stay as they are`;
    return { content: [{ type: 'text', text }], isError: true };
  };
}
