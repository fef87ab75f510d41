import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { text } from '../../../protocol/content.ts';
import type { CallToolResult } from '../../../protocol/results.ts';
import type { Checked } from '../../../schema/problems.ts';
import { formatProblems } from '../../../schema/problems.ts';
import type { Call } from '../../call.ts';
import { countCall } from '../../overload.ts';
import { Suspended } from '../../questions.ts';
import { ResultTooLarge } from '../../result-size.ts';
import { demandScopes } from '../../scopes-check.ts';
import { isThenable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { ToolError } from '../../tool-error.ts';
import { toArgumentsError, toErrorResult, toToolResult } from '../../tool-result.ts';
import type { ToolEntry } from '../../tools.ts';
import type { Method } from '../method.ts';

type ToolOutcome = CallToolResult | Promise<CallToolResult>;

/** Serves `tools/call`. */
export const callTool: Method = {
  prepare: ({ server, params }) => server.tools.entry(params.name as string)?.input?.prepare(params.arguments ?? {}),
  scopes: ({ server, params }) => server.tools.entry(params.name as string)?.scopes?.fixed,
  allScopes({ server, params }) {
    const { scopes, input } = server.tools.entry(params.name as string) ?? {};
    if (scopes === undefined || scopes.fixed !== undefined) return scopes?.fixed;
    const given = params.arguments ?? {};
    const checked = isObject(given) ? (input?.check(given) ?? checkNone(given)) : undefined;
    return whenThere(checked, (args) => (args?.ok === true ? scopes.of(args.value) : undefined));
  },
  run(call) {
    const { name, arguments: given } = call.params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string: the tool to call');
    const tool = call.server.tools.entry(name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${brief(name)}`);
    // Once more: middleware may have passed the call to another tool.
    if (tool.scopes !== undefined) demandScopes(call, tool.scopes.fixed);
    if (tool.rates !== undefined) countCall(tool.rates, call.exchange, `calls of "${name}"`);
    const args = given ?? {};
    if (!isObject(args)) throw invalidParams('"arguments" must be an object');
    call.tool = tool.listable;
    const checked = tool.input === undefined ? checkNone(args) : tool.input.check(args);
    return checked instanceof Promise
      ? checked.then((done) => execute(call, tool, done))
      : execute(call, tool, checked);
  },
};

function checkNone(args: Record<string, unknown>): Checked {
  const extra = Object.keys(args).map((path) => ({
    path: '',
    message: `unknown property "${brief(path)}": this tool takes no arguments`,
  }));
  return extra.length === 0 ? { ok: true, value: args } : { ok: false, problems: extra };
}

function execute(call: Call, tool: ToolEntry, args: Checked): ToolOutcome {
  if (!args.ok) return refuseArguments(call, tool, formatProblems(args.problems));
  try {
    if (tool.scopes !== undefined) demandScopes(call, tool.scopes.of(args.value));
    const value = tool.tool.call(args.value as never, call);
    if (!isThenable(value)) return finish(call, tool, value);
    return Promise.resolve(value).then(
      (done) => finish(call, tool, done),
      (error: unknown) => fail(call, tool, error),
    );
  } catch (error) {
    return fail(call, tool, error);
  }
}

function refuseArguments(call: Call, tool: ToolEntry, message: string): CallToolResult {
  if (call.server.options.invalidArguments !== 'protocol-error') return toArgumentsError(tool, message);
  throw invalidParams(`Invalid arguments for tool "${tool.key}": ${message}`);
}

function finish(call: Call, tool: ToolEntry, value: unknown): ToolOutcome {
  try {
    const result = toToolResult(tool, value, call.server.maxResult);
    return result instanceof Promise ? result.catch((error: unknown) => fail(call, tool, error)) : result;
  } catch (error) {
    return fail(call, tool, error);
  }
}

/** A `ToolError` is for the model, a `ProtocolError` for the client program; anything else is a bug and stays here. */
function fail(call: Call, tool: ToolEntry, error: unknown): CallToolResult {
  if (error instanceof ToolError) return toErrorResult(error);
  if (error instanceof ResultTooLarge) {
    call.server.reportError(error.message, error.cause);
    return toErrorResult(new ToolError(error.message));
  }
  if (error instanceof ProtocolError || error instanceof Suspended) throw error;
  const message = `Tool "${tool.key}" failed unexpectedly`;
  if (!call.done) call.server.reportError(message, error);
  if (call.server.options.exceptions === 'protocol-error') throw new ProtocolError(ErrorCode.InternalError, message);
  return { content: [text(message)], isError: true };
}
