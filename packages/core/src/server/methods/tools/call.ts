import { brief, ErrorCode, invalidParams, ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { text } from '../../../protocol/content.ts';
import type { CallToolResult } from '../../../protocol/results.ts';
import { type Checked, formatProblems, maxFaults } from '../../../schema/problems.ts';
import { backgroundResult, withoutArguments } from '../../call/background-job.ts';
import { contextOf, OperationContext } from '../../call/operation-context.ts';
import type { Call, Method } from '../../call/call.ts';
import { Suspended } from '../../call/questions.ts';
import { ResultTooLarge } from '../../call/result-size.ts';
import { fail, complete } from '../../call/complete.ts';
import { isThenable, mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { ToolError } from '../../call/tool-error.ts';
import { toArgumentsError, toErrorResult, toToolResult } from '../../call/tool-result.ts';
import type { AroundTool } from '../../extension.ts';
import type { ToolEntry } from '../../define/tool-entry.ts';

type ToolOutcome = CallToolResult | Promise<CallToolResult>;

/** Serves `tools/call`. */
export const callTool: Method = {
  prepare: ({ server, params }) =>
    server.catalog.tools.entries.get(params.name as string)?.input?.prepare(params.arguments ?? {}),
  requirement: ({ server, params }) => server.catalog.tools.entries.get(params.name as string)?.access?.fixed,
  fullRequirement({ server, params }) {
    const { access, input } = server.catalog.tools.entries.get(params.name as string) ?? {};
    if (access === undefined || access.fixed !== undefined) return access?.fixed;
    const given = params.arguments ?? {};
    const checked = isObject(given) ? (input?.check(given) ?? checkNone(given)) : undefined;
    return mapAwaitable(checked, (args) => (args?.ok === true ? access.of(args.value) : undefined));
  },
  run(call) {
    const { name, arguments: given } = call.params;
    if (typeof name !== 'string') throw invalidParams('"name" must be a string: the tool to call');
    const tool = call.server.catalog.tools.entries.get(name);
    if (tool === undefined) throw invalidParams(`Unknown tool: ${brief(name)}`);
    // Once more: middleware may have passed the call to another tool.
    if (tool.access !== undefined) call.server.access.require(call, tool.access.fixed);
    if (call.server.extensions.hasLegacyForms && call.job === undefined) assertCallable(call, tool);
    // A call that runs in the background was authorized when it came.
    const before = call.job === undefined && tool.before?.(call.peer);
    return before ? before.then(() => check(call, tool, given)) : check(call, tool, given);
  },
};

/** Throws if a legacy form of the caller's revision rejects the call. */
function assertCallable({ server, revision, params }: Call, { tool }: ToolEntry): void {
  for (const form of server.extensions.formsIn(revision)) form.assertCallable?.(tool, params, server.catalog.tools);
}

function check(call: Call, tool: ToolEntry, given: unknown): ToolOutcome {
  const args = given ?? {};
  if (!isObject(args)) throw invalidParams('"arguments" must be an object');
  // A tool that can't be listed can't be called either.
  if (tool.row === undefined) tool.read();
  call.tool = tool;
  const checked = tool.input === undefined ? checkNone(args) : tool.input.check(args);
  return checked instanceof Promise ? checked.then((done) => execute(call, tool, done)) : execute(call, tool, checked);
}

function checkNone(args: Record<string, unknown>): Checked {
  const extra = Object.keys(args)
    .slice(0, maxFaults)
    .map((path) => ({ path: '', message: `unknown property "${brief(path)}": this tool takes no arguments` }));
  return extra.length === 0 ? { ok: true, value: args } : { ok: false, problems: extra };
}

function execute(call: Call, tool: ToolEntry, args: Checked): ToolOutcome {
  if (!args.ok) return rejectArguments(call, tool, formatProblems(args.problems));
  try {
    if (tool.access !== undefined) call.server.access.require(call, tool.access.of(args.value));
    const { around } = tool;
    const value =
      around === undefined
        ? tool.tool.call(args.value as never, (call.context ??= new OperationContext(call)))
        : runWithin(around, call, tool, args.value);
    return isThenable(value) ? finishLater(call, tool, value) : finish(call, tool, value);
  } catch (error) {
    return failHandler(call, tool, error);
  }
}

function runWithin(around: AroundTool, call: Call, { tool }: ToolEntry, args: unknown): unknown {
  const run = (): unknown => tool.call(args as never, contextOf(call));
  return around(contextOf(call), run, () => runApart(call, run));
}

/**
 * Runs the handler of a call that was already answered. Waits with as little memory as possible: it may run for days.
 */
function runApart(call: Call, run: () => unknown): unknown {
  const value = run();
  const hasMiddleware = call.host.hasMiddleware || call.server.hasMiddleware;
  if (call.job === undefined || hasMiddleware || !isThenable(value)) return value;
  call.shrink(withoutArguments(call));
  // Bound functions take half the memory of closures.
  Promise.resolve(value).then(endApart.bind(call), failApart.bind(call));
  return backgroundResult;
}

function endApart(this: Call, value: unknown): void {
  settleApart(this, () => finish(this, this.tool as ToolEntry, value));
}

function failApart(this: Call, error: unknown): void {
  settleApart(this, () => failHandler(this, this.tool as ToolEntry, error));
}

function settleApart(call: Call, end: () => ToolOutcome): void {
  const failed = (error: unknown): void => fail(call, error);
  try {
    const result = end();
    if (result instanceof Promise) result.then((done) => complete(call, done), failed);
    else complete(call, result);
  } catch (error) {
    failed(error);
  }
}

/** A separate function, so that the arguments are not retained while the handler runs. */
function finishLater(call: Call, tool: ToolEntry, value: PromiseLike<unknown>): Promise<CallToolResult> {
  return Promise.resolve(value).then(
    (done) => finish(call, tool, done),
    (error: unknown) => failHandler(call, tool, error),
  );
}

function rejectArguments(call: Call, tool: ToolEntry, message: string): CallToolResult {
  if (call.server.options.invalidArguments !== 'protocol-error') return toArgumentsError(tool, message);
  throw invalidParams(`Invalid arguments for tool "${tool.key}": ${message}`);
}

function finish(call: Call, tool: ToolEntry, value: unknown): ToolOutcome {
  if (value === backgroundResult) return backgroundResult;
  try {
    const result = toToolResult(tool, value, call.server.settings.maxResult);
    return result instanceof Promise ? result.catch((error: unknown) => toFailure(call, tool, error)) : result;
  } catch (error) {
    return toFailure(call, tool, error);
  }
}

function failHandler(call: Call, tool: ToolEntry, error: unknown): CallToolResult {
  call.job?.onHandlerFailed?.();
  return toFailure(call, tool, error);
}

/** A `ToolError` is for the model, a `ProtocolError` for the client program; anything else is a bug and stays here. */
function toFailure(call: Call, tool: ToolEntry, error: unknown): CallToolResult {
  if (error instanceof ToolError) return toErrorResult(error);
  if (error instanceof ResultTooLarge) {
    call.server.reportError(error.message, error.cause);
    return toErrorResult(new ToolError(error.message));
  }
  if (error instanceof ProtocolError || error instanceof Suspended) throw error;
  const message = `Tool "${tool.key}" failed unexpectedly`;
  if (!call.isOver) call.server.reportError(message, error);
  if (call.server.options.exceptions === 'protocol-error') throw new ProtocolError(ErrorCode.InternalError, message);
  return { content: [text(message)], isError: true };
}
