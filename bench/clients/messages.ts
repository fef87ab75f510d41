import type { Era } from '../subjects.ts';

/** The handshake revision that all subjects have in common. */
export const handshakeVersion = '2025-06-18';

/** The sender in each request of the stateless era. */
const senderMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: handshakeVersion,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
});

export const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** A request for each id, and a check of its response. */
export interface Question {
  /** For HTTP headers. Default: `tools/call` of `echo`. */
  readonly method?: string;
  readonly name?: string;
  request(id: number): string;
  /** Throws if the result is wrong. */
  check(result: Record<string, unknown>, id: number): void;
}

/** Calls `echo`, or a tool of another name that does the same, each time with another text. */
export function echo(era: Era, name = 'echo'): Question {
  const meta = era === 'handshake' ? '' : `,"_meta":${JSON.stringify(senderMeta)}`;
  return {
    name,
    request: (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"message":"hello ${id}"}${meta}}}`,
    check: (result, id) => checkText(result, `hello ${id}`),
  };
}

/** Calls `large`, which gives a text of a megabyte. */
export function callLarge(): Question {
  const meta = JSON.stringify(senderMeta);
  return {
    name: 'large',
    request: (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"large","arguments":{},"_meta":${meta}}}`,
    check({ content }) {
      const [first] = content as [{ text: string }];
      if (first.text.length !== 1024 * 1024) throw new Error('Wrong text in the result');
    },
  };
}

/** Calls `echo` with a text of so many megabytes. */
export function echoLarge(megabytes: number): Question {
  const message = 'All work and no play. '
    .repeat(Math.ceil((megabytes * 1024 * 1024) / 22))
    .slice(0, megabytes * 1024 * 1024);
  return {
    request: (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"message":"${message}"}}}`,
    check: (result) => checkText(result, message),
  };
}

/** Lists tools, and expects so many. */
export function listTools(count: number): Question {
  return {
    request: (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`,
    check({ tools }) {
      if (!Array.isArray(tools) || tools.length !== count) throw new Error(`Expected ${count} tools`);
      const last = tools.at(-1) as { name: string; inputSchema: { type: string } };
      if (last.name !== `dummy_${count - 2}` || last.inputSchema.type !== 'object') throw new Error('Wrong last tool');
    },
  };
}

/** Lists tools in the stateless era, and expects so many on the first page. */
export function listPage(count: number): Question {
  const meta = JSON.stringify(senderMeta);
  return {
    method: 'tools/list',
    request: (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"_meta":${meta}}}`,
    check({ tools }) {
      if (!Array.isArray(tools) || tools.length !== count) throw new Error(`Expected ${count} tools`);
    },
  };
}

function checkText({ content, isError }: Record<string, unknown>, expected: string): void {
  const [first] = content as [{ type: string; text: string }];
  if (isError === true || first.type !== 'text' || first.text !== expected) throw new Error('Wrong text in the result');
}

/** Checks the responses of a turn: each request answered once, and correctly. */
export function checkAll(question: Question, answers: readonly string[], ids: { first: number; count: number }): void {
  const open = new Set(Array.from({ length: ids.count }, (_, index) => ids.first + index));
  for (const answer of answers) {
    const { id, result } = JSON.parse(answer) as { id: number; result?: Record<string, unknown> };
    if (result === undefined) throw new Error(`Not a result: ${answer.slice(0, 300)}`);
    if (!open.delete(id)) throw new Error(`An answer nobody asked for: ${answer.slice(0, 300)}`);
    question.check(result, id);
  }
  if (open.size > 0) throw new Error(`${open.size} requests were not answered`);
}
