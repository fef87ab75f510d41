import type { Server } from '@ccmcp/core';
import type { InspectorPlace, MountedInspector } from '@ccmcp/core/http';
import { inspector, type InspectorOptions } from './inspector.ts';
import type { OfferedTarget } from './targets.ts';

/** Creates the inspector of a server in this process, for the `inspector` option of `serveHttp`. */
export function mountedInspector(
  server: Server,
  { url, token }: InspectorPlace,
  options: Pick<InspectorOptions, 'folder' | 'resolveTarget' | 'remember' | 'look' | 'model'> & {
    targets?: readonly OfferedTarget[];
  } = {},
): MountedInspector {
  const { name } = server.info;
  const { targets = [], ...others } = options;
  const own: OfferedTarget[] = [
    {
      label: name,
      kind: 'own',
      origin: 'mounted',
      resolve: async () => ({ kind: 'own', server, label: name, address: url }),
    },
    {
      label: url,
      kind: 'url',
      origin: 'configured',
      detail: 'the same over HTTP',
      resolve: async () => ({ kind: 'url', url, label: url }),
    },
  ];
  return inspector({ ...others, token, mounted: true, watched: server, targets: [...own, ...targets] });
}
