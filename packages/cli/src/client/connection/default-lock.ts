/** The lock of a folder. */
export const defaultLock = 'mcp-lock.json';
