import { brief } from '../../../jsonrpc/errors.ts';
import type { ReadResourceResult } from '../../../protocol/results.ts';
import { toContents } from '../../define/resource-entry.ts';
import { assertFits } from '../../call/result-size.ts';
import { mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { findResource, noSuchResource, requirementAt, uriOf } from './find.ts';
import type { Method } from '../../call/call.ts';
import { contextOf } from '../../call/operation-context.ts';

/** Serves `resources/read`. */
export const readResource: Method = {
  requirement: requirementAt,
  run(call) {
    const uri = uriOf(call);
    const found = findResource(call, uri);
    if (found === undefined) throw noSuchResource(call, uri);
    const requirement = found.requirement();
    call.server.access.require(call, requirement);
    if (found.cache !== undefined) call.cache = found.cache;
    if (requirement !== undefined) call.keepPrivate();
    return mapAwaitable(found.read(contextOf(call)), (value): ReadResourceResult => {
      if (value === undefined) throw noSuchResource(call, uri);
      assertFits(value, `resource "${brief(uri)}"`, call.server.settings.maxResult);
      return { contents: toContents(uri, found.mimeType, value) };
    });
  },
};
