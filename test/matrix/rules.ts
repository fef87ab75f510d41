import type { JsonRpcMessage } from '../support/mcp-client.ts';
import { type Era, inputRequired, official, problemsOf } from './official.ts';

/** A request, as the server should have parsed it. */
export interface Asked {
  method: string;
  era: Era;
  params: Meta;
}

export type Meta = Record<string, unknown>;

export const M = 'io.modelcontextprotocol/';

const mayAsk = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Content types that clients of a revision don't know yet. */
const unknownContent: Record<string, ReadonlySet<string>> = {
  '2024-11-05': new Set(['audio', 'resource_link']),
  '2025-03-26': new Set(['resource_link']),
};

/** Questions that clients of a revision don't know yet. */
const unknownQuestions: Record<string, ReadonlySet<string>> = {
  '2024-11-05': new Set(['elicitation/create']),
  '2025-03-26': new Set(['elicitation/create']),
};

/** Problems of a result. `session` is the revision of the handshake, if there was one. */
export function resultProblems({ method, era }: Asked, result: Meta, session: string | undefined): string[] {
  if (era === 'stateless' && result.resultType === 'input_required') {
    return mayAsk.has(method) ? problemsOf(inputRequired, result) : [`S-I-01: ${method} must not ask`];
  }
  const schema = official[era].results.get(method);
  if (schema === undefined) return [`A result for "${method}", which does not exist in this era`];
  const problems = problemsOf(schema, result);
  if (problems.length > 0 || era === 'stateless') return problems;
  return [...sealProblems(result), ...contentProblems(method, result, session)];
}

/** Problems of the stateless era's members, which the official types lack; `_meta` may contain anything. */
function sealProblems({ _meta = {} }: Meta): string[] {
  return `${M}serverInfo` in (_meta as Meta) ? ['S-B-17: serverInfo is foreign to a handshake revision'] : [];
}

function contentProblems(method: string, result: Meta, session = ''): string[] {
  const types: string[] = [];
  if (method === 'tools/call') types.push(...(result.content as { type: string }[]).map(({ type }) => type));
  if (method === 'prompts/get') {
    types.push(...(result.messages as { content: { type: string } }[]).map(({ content }) => content.type));
  }
  return types.filter((type) => unknownContent[session]?.has(type)).map((type) => `${session} has no ${type} content`);
}

/** Problems of an error. `request` is the request, if it could be parsed. */
export function errorProblems(error: NonNullable<JsonRpcMessage['error']>, request: Asked | undefined): string[] {
  const { code, message, data, ...rest } = error;
  const problems: string[] = [];
  if (!Number.isInteger(code) || typeof message !== 'string' || Object.keys(rest).length > 0) {
    problems.push('S-B-03: an error has an integer code, a message and perhaps data');
  }
  if (/\\n\s+at |node:internal|\.ts:\d/.test(JSON.stringify(error))) problems.push('A stack trace');
  const reserved = code <= -32000 && code >= -32099 && ![-32020, -32021, -32022].includes(code);
  if (reserved && request?.era === 'stateless') problems.push(`S-B-08: code ${code} in the stateless era`);
  if (code === -32021 && typeof data?.requiredCapabilities !== 'object') {
    problems.push('S-B-11: -32021 without requiredCapabilities');
  }
  return problems;
}

/** Problems of a question to a client of a handshake revision. */
export function questionProblems(question: { method?: string; params?: Meta }, session: string): string[] {
  const { method = '' } = question;
  const schema = unknownQuestions[session]?.has(method) ? undefined : official.handshake.questions.get(method);
  return schema === undefined ? [`"${method}" does not exist in ${session}`] : problemsOf(schema, question);
}
