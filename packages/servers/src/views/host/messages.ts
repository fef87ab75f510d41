/** What the host tells of itself and its page; members that it does not tell are absent. */
export interface HostContext {
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string | undefined>; css?: { fonts?: string } };
  displayMode?: string;
  locale?: string;
  timeZone?: string;
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
  toolInfo?: { tool?: { name?: string } };
}

/** What the host does for views. */
export interface HostCapabilities {
  serverTools?: object;
}

/** The result of a tool. */
export interface ToolResult {
  content?: readonly { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** A JSON-RPC message, either way. */
export interface Message {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** True for what may be a message of a host: anything else in the window is none of ours. */
export function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && (data as Message).jsonrpc === '2.0';
}
