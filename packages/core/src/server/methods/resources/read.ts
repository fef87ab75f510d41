import { brief } from '../../../jsonrpc/errors.ts';
import type { ReadResourceResult } from '../../../protocol/results.ts';
import { toContents } from '../../define/resource-entry.ts';
import { assertFits } from '../../call/result-size.ts';
import { demandScopes } from '../../scopes/check-scopes.ts';
import { whenThere } from '../../../jsonrpc/awaitable.ts';
import type { Method } from '../method.ts';
import { findResource, noSuchResource, scopesOfAddress, uriOf } from './find.ts';

/** Serves `resources/read`. */
export const readResource: Method = {
  scopes: scopesOfAddress,
  run(call) {
    const uri = uriOf(call);
    const found = findResource(call, uri);
    if (found === undefined) throw noSuchResource(call, uri);
    const needed = found.scopes();
    demandScopes(call, needed);
    if (found.cache !== undefined) call.extras.cache = found.cache;
    if (needed !== undefined) call.keepPrivate();
    return whenThere(found.read(call), (value): ReadResourceResult => {
      if (value === undefined) throw noSuchResource(call, uri);
      assertFits(value, `resource "${brief(uri)}"`, call.server.maxResult);
      return { contents: toContents(uri, found.mimeType, value) };
    });
  },
};
