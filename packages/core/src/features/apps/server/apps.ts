import { isObject } from '../../../jsonrpc/message.ts';
import type { Resource, Tool } from '../../../server/define/define.ts';
import type { ServerExtension } from '../../../server/extension.ts';
import type { ToolAddition } from '../../../server/define/tool-addition.ts';
import { appsId, legacyViewKey, viewMimeType } from '../ids.ts';
import type { ToolUiMeta, Visibility } from '../view-meta.ts';
import { type KnownView, knownView, viewOfResource } from './app-view.ts';

const visibilities: readonly Visibility[] = ['model', 'app'];

/** One for all servers, so that servers with views can be combined. */
const extension: ServerExtension = Object.freeze({
  id: appsId,
  // A host for other kinds of views can't show ours.
  accepts: (settings: { mimeTypes?: unknown }) =>
    Array.isArray(settings.mimeTypes) && settings.mimeTypes.includes(viewMimeType),
  addToTool,
});

/** Lets tools have views, and lets tools be for views only: pass it in `extensions` of `createServer`. */
export function apps(): ServerExtension {
  return extension;
}

function addToTool(tool: Tool, offered: (uri: string) => Resource | undefined): ToolAddition | undefined {
  const own = isObject(tool._meta?.ui) ? tool._meta.ui : {};
  // The hand-written form means the same.
  const { ui, visibility = own.visibility as Tool['visibility'] } = tool;
  if (ui === undefined && visibility === undefined) return undefined;
  if (visibility !== undefined) checkVisibility(tool, visibility);
  const resource = ui === undefined ? undefined : resourceOf(tool, offered);
  const said: ToolUiMeta = {
    ...(resource !== undefined && { resourceUri: resource.uri }),
    ...(visibility !== undefined && { visibility }),
  };
  return {
    _meta: { ...tool._meta, ui: { ...own, ...said }, ...(resource !== undefined && { [legacyViewKey]: resource.uri }) },
    ...(visibility?.includes('model') === false && { listedFor: appsId }),
    ...(resource !== undefined && { resources: [resource] }),
  };
}

/** The resource of a tool's view: shared with another tool that has the same view. */
function resourceOf(tool: Tool, offered: (uri: string) => Resource | undefined): Resource {
  const { ui, name } = tool;
  const view = isObject(ui) ? knownView(ui) : undefined;
  if (view === undefined) {
    throw new TypeError(`Tool "${name}": "ui" must be what appView of "@ccmcp/core/apps" gives`);
  }
  const { resource } = view;
  const there = offered(resource.uri);
  if (there === undefined || there === resource) return resource;
  const other = viewOfResource(there);
  if (other !== undefined && isSame(view, other)) return there;
  const what = other === undefined ? 'There is a resource' : 'There is another view';
  throw new TypeError(
    `Tool "${name}": ${what} at "${resource.uri}" already, with other contents: choose another address, or make the view once and give it to both`,
  );
}

function isSame({ identity: one }: KnownView, { identity: other }: KnownView): boolean {
  return one.every((part, index) => part === other[index]);
}

function checkVisibility({ name }: Tool, visibility: unknown): void {
  const isList = Array.isArray(visibility) && visibility.length > 0;
  if (isList && visibility.every((one) => visibilities.includes(one as Visibility))) return;
  throw new TypeError(`Tool "${name}": "visibility" must be ["model"], ["app"] or ["model", "app"]`);
}
