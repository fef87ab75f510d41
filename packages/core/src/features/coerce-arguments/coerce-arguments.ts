import { quoteBriefly } from '../../jsonrpc/errors.ts';
import { isObject } from '../../jsonrpc/message.ts';
import type { Middleware } from '../../server/call/operation.ts';
import { coerce } from './coerce.ts';

/** Maximum number of arguments named in a log line. */
const maxNamed = 10;

/**
 * Middleware that corrects the types of arguments before a tool checks them, such as `"10"` for a number, where its schema leaves
 * one meaning. The log says which arguments were changed.
 *
 * @example
 * server.use(coerceArguments());
 */
export function coerceArguments(): Middleware {
  return (operation, next) => {
    const { params, tool } = operation;
    const { arguments: given } = params;
    if (tool === undefined || !isObject(given)) return next();
    const { value, changed } = coerce(given, tool.inputSchema);
    if (changed.length === 0) return next();
    const names = changed.slice(0, maxNamed).map((name) => quoteBriefly(name));
    const more = changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : '';
    operation.log('info', `Coerced arguments of tool ${quoteBriefly(tool.name)}: ${names.join(', ')}${more}`);
    return next({ ...params, arguments: value });
  };
}
