import type { ReadResourceResult } from '../../../protocol/results.ts';
import { toContents } from '../../resources.ts';
import { andThen } from '../../thenable.ts';
import type { Method } from '../method.ts';
import { findResource, noSuchResource, uriOf } from './find.ts';

export const readResource: Method = {
  needs: 'resources',
  run(call) {
    const uri = uriOf(call);
    const found = findResource(call, uri);
    if (found === undefined) throw noSuchResource(uri);
    call.cache = found.cache;
    return andThen(found.read(), (value): ReadResourceResult => {
      if (value === undefined) throw noSuchResource(uri);
      return { contents: toContents(uri, found.mimeType, value) };
    });
  },
};
