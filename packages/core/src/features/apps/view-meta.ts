import { isObject } from '../../jsonrpc/message.ts';
import { legacyViewKey } from './ids.ts';

/** The origins that a view may use, by purpose; others are blocked. */
export interface ViewCsp {
  /** For `fetch`, WebSockets and similar. */
  connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts and media. */
  resourceDomains?: readonly string[];
  /** For nested frames. */
  frameDomains?: readonly string[];
  /** For `<base>`. */
  baseUriDomains?: readonly string[];
}

/** Browser permissions of a view, each as `{}`. */
export interface ViewPermissions {
  camera?: object;
  microphone?: object;
  geolocation?: object;
  clipboardWrite?: object;
}

/** The metadata of a view: `_meta.ui` of its resource. */
export interface ViewMeta {
  csp?: ViewCsp;
  permissions?: ViewPermissions;
  /** The origin that the view should have, in a form that the host defines. */
  domain?: string;
  /** Whether the host should draw a border. */
  prefersBorder?: boolean;
}

/** The callers of a tool: the model, or the views of the same server. */
export type Visibility = 'model' | 'app';

/** The metadata of a tool with a view, or for views: `_meta.ui` of its listing. */
export interface ToolUiMeta {
  resourceUri?: string;
  /** Default: both. */
  visibility?: readonly Visibility[];
}

/** The lists of origins in the metadata of a view. */
export const cspLists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** The permissions that a view may ask for. */
export const viewPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

/** The view metadata of a listed tool, in the current or earlier form. */
export function toolUiOf({ _meta }: { readonly _meta?: unknown }): ToolUiMeta {
  if (!isObject(_meta)) return {};
  const ui = isObject(_meta.ui) ? _meta.ui : {};
  const resourceUri = ui.resourceUri ?? _meta[legacyViewKey];
  const { visibility } = ui;
  return {
    ...(typeof resourceUri === 'string' && { resourceUri }),
    ...(Array.isArray(visibility) && { visibility: visibility.filter(isVisibility) }),
  };
}

function isVisibility(value: unknown): value is Visibility {
  return value === 'model' || value === 'app';
}
