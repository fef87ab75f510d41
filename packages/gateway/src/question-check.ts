import { ErrorCode, ProtocolError } from '@ccmcp/core';
import { isObject } from './is-object.ts';

/** Returns what is wrong with a value; undefined: nothing. */
type Rule = (value: unknown, path: string) => string | undefined;
type Members = Readonly<Record<string, Rule>>;

/** How much of a name that the upstream chose is shown. */
const maxShown = 100;

const text: Rule = (value, path) => (typeof value === 'string' ? undefined : `"${path}" must be a string`);
const number: Rule = (value, path) => (typeof value === 'number' ? undefined : `"${path}" must be a number`);
const anyObject = object({});

const block: Rule = (value, path) => {
  const problem = object({ type: text })(value, path);
  return problem ?? object(blocks.get((value as { type: string }).type) ?? {})(value, path);
};
const blocks: ReadonlyMap<string, Members> = new Map([
  ['text', { text }],
  ['image', { data: text, mimeType: text }],
  ['audio', { data: text, mimeType: text }],
  ['tool_use', { id: text, name: text, input: anyObject }],
  ['tool_result', { toolUseId: text, content: listOf(anyObject) }],
]);

const form = object({
  message: text,
  requestedSchema: object(
    {},
    {
      type: oneOf('object'),
      properties: recordOf(object({}, { type: text, title: text, description: text })),
      required: listOf(text),
    },
  ),
});
const page = object({ message: text, url: address }, { elicitationId: text });

/** What each question must be. Members that are not named here pass, since later revisions may add some. */
const questions: ReadonlyMap<unknown, Rule> = new Map<unknown, Rule>([
  [
    'elicitation/create',
    (params, path) =>
      object({}, { mode: oneOf('form', 'url'), _meta: anyObject })(params, path) ??
      ((params as { mode?: string }).mode === 'url' ? page : form)(params, path),
  ],
  [
    'sampling/createMessage',
    object(
      {
        messages: listOf(
          object({
            role: oneOf('user', 'assistant'),
            content: (value, path) => (Array.isArray(value) ? listOf(block) : block)(value, path),
          }),
        ),
      },
      {
        maxTokens: number,
        systemPrompt: text,
        temperature: number,
        includeContext: text,
        stopSequences: listOf(text),
        modelPreferences: object(
          {},
          {
            hints: listOf(object({}, { name: text })),
            costPriority: number,
            speedPriority: number,
            intelligencePriority: number,
          },
        ),
        metadata: anyObject,
        tools: listOf(object({ name: text, inputSchema: anyObject })),
        toolChoice: object({}, { mode: text }),
        _meta: anyObject,
      },
    ),
  ],
  ['roots/list', (params, path) => (params === undefined ? undefined : object({}, { _meta: anyObject })(params, path))],
]);

/** Throws if a question of an upstream has members of wrong types: clients could fail at them. */
export function assertQuestion(upstream: string, method: unknown, params: unknown): void {
  const problem = questions.get(method)?.(params, 'params');
  if (problem === undefined) return;
  const message = `The question "${String(method)}" of the upstream "${upstream}" is malformed: ${problem}`;
  throw new ProtocolError(ErrorCode.InvalidParams, message, { upstream });
}

function oneOf(...values: string[]): Rule {
  const expected = values.map((each) => `"${each}"`).join(' or ');
  return (value, path) => (values.includes(value as string) ? undefined : `"${path}" must be ${expected}`);
}

function address(value: unknown, path: string): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? undefined : `"${path}" must be a URL`;
}

function listOf(rule: Rule): Rule {
  return (value, path) => {
    if (!Array.isArray(value)) return `"${path}" must be a list`;
    for (const [index, each] of value.entries()) {
      const problem = rule(each, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function object(required: Members, optional: Members = {}): Rule {
  return (value, path) => {
    if (!isObject(value)) return `"${path}" must be an object`;
    for (const [name, rule] of Object.entries(required)) {
      const problem = rule(value[name], `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    for (const [name, rule] of Object.entries(optional)) {
      const problem = value[name] === undefined ? undefined : rule(value[name], `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function recordOf(rule: Rule): Rule {
  return (value, path) => {
    if (!isObject(value)) return `"${path}" must be an object`;
    for (const [name, each] of Object.entries(value)) {
      const problem = rule(each, `${path}.${name.slice(0, maxShown)}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
