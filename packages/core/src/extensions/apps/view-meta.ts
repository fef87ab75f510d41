import { isObject } from '../../jsonrpc/message.ts';
import { formerViewKey } from './ids.ts';

/** The origins that a view may use, by what for; what is in no list can't be reached from it. */
export interface ViewCsp {
  /** For `fetch`, WebSockets and the like. */
  connectDomains?: readonly string[];
  /** For scripts, styles, pictures, fonts, sounds and films. */
  resourceDomains?: readonly string[];
  /** For frames within the view. */
  frameDomains?: readonly string[];
  /** For `<base>`. */
  baseUriDomains?: readonly string[];
}

/** What a view may ask of the browser, each as `{}`. */
export interface ViewPermissions {
  camera?: object;
  microphone?: object;
  geolocation?: object;
  clipboardWrite?: object;
}

/** What is said of a view beside its document: `_meta.ui` of its resource. */
export interface ViewMeta {
  csp?: ViewCsp;
  permissions?: ViewPermissions;
  /** The origin that the view is to have, in a form that the host prescribes. */
  domain?: string;
  /** Whether the host draws a border around it. */
  prefersBorder?: boolean;
}

/** Who may call a tool: the model, or the views of the same server. */
export type Visibility = 'model' | 'app';

/** What is said of a tool that has a view, or is for views: `_meta.ui` of its row. */
export interface ToolUiMeta {
  resourceUri?: string;
  /** Default: both. */
  visibility?: readonly Visibility[];
}

/** The lists of origins in the metadata of a view. */
export const cspLists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** The permissions that a view may ask for. */
export const viewPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;

/** What a tool's row says of its view, in the present form or the former. */
export function toolUiOf({ _meta }: { readonly _meta?: unknown }): ToolUiMeta {
  if (!isObject(_meta)) return {};
  const ui = isObject(_meta.ui) ? _meta.ui : {};
  const resourceUri = ui.resourceUri ?? _meta[formerViewKey];
  const { visibility } = ui;
  return {
    ...(typeof resourceUri === 'string' && { resourceUri }),
    ...(Array.isArray(visibility) && { visibility: visibility.filter(isVisibility) }),
  };
}

function isVisibility(value: unknown): value is Visibility {
  return value === 'model' || value === 'app';
}
