import { ErrorCode, ProtocolError } from '../../../../../jsonrpc/errors.ts';
import type { ResourceListing } from '../../../../../protocol/listing.ts';
import type { ExtensionMethod } from '../../../../../server/extension.ts';
import type { KeptFile } from '../../../skill-collection.ts';
import type { SkillsByCaller } from '../../../skill-visibility.ts';

/** Serves `resources/directory/read`: what is directly in a folder of a skill, on one page. */
export function readDirectory(served: SkillsByCaller): ExtensionMethod {
  return {
    servesEveryone: true,
    serve(operation) {
      const { uri, cursor } = operation.params;
      const children = typeof uri === 'string' ? served.seenBy(operation).folders.get(uri) : undefined;
      if (children === undefined) {
        const given = JSON.stringify(typeof uri === 'string' ? uri.slice(0, 200) : null);
        const hint = 'name a folder of a skill, without a slash at its end';
        throw new ProtocolError(ErrorCode.InvalidParams, `There is no folder at ${given}: ${hint}`);
      }
      if (cursor !== undefined) throw new ProtocolError(ErrorCode.InvalidParams, 'Invalid cursor: there is one page');
      return { resources: [...children].map(([address, child]) => listingOf(address, child)) };
    },
  };
}

function listingOf(uri: string, child: KeptFile | 'folder'): ResourceListing {
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
  if (child === 'folder') return { uri, name, mimeType: 'inode/directory' };
  return { uri, name, mimeType: child.mimeType, size: child.bytes.byteLength };
}
