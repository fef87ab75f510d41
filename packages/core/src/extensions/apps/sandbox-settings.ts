import { isObject } from '../../jsonrpc/message.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import { sanitizeCsp } from './csp.ts';
import { type ViewCsp, viewPermissions } from './view-meta.ts';

/** A permission that a view may ask for. */
export type ViewPermission = (typeof viewPermissions)[number];

/** How one view is held: part of the address of its sandbox, so that the server of sandboxes remembers nothing. */
export interface SandboxSettings {
  /** The origin of the page that shows the view. */
  readonly host: string;
  /** Whether the view has an origin of its own, and with it storage; else it has none at all. */
  readonly own: boolean;
  readonly relaxed: boolean;
  readonly csp: Required<ViewCsp>;
  readonly permissions: readonly ViewPermission[];
}

/** Settings as a part of a path. In a path, not a query: a policy can hold a frame to one path. */
export function encodeSettings(settings: SandboxSettings): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(settings)));
}

/** The settings in a part of a path, checked; undefined for what are none. */
export function decodeSettings(text: string): SandboxSettings | undefined {
  const given = parseJson(text);
  if (!isObject(given) || typeof given.host !== 'string' || !isPageOrigin(given.host)) return undefined;
  const wanted: unknown = given.permissions;
  return {
    host: given.host,
    own: given.own === true,
    relaxed: given.relaxed === true,
    csp: sanitizeCsp(given.csp).csp,
    permissions: viewPermissions.filter((name) => Array.isArray(wanted) && wanted.includes(name)),
  };
}

function parseJson(text: string): unknown {
  const bytes = fromBase64(text);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** True for the origin of a page, as browsers write it, that a policy can name: none of IPv6. */
export function isPageOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const features: Readonly<Record<ViewPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** The `allow` attribute that grants permissions to a frame. One without an origin can only be meant by `*`. */
export function allowAttribute(permissions: readonly ViewPermission[], own: boolean): string {
  return permissions.map((name) => `${features[name]}${own ? '' : ' *'}`).join('; ');
}

const viewSuffix = '-view';

/** The host name under which the document of a view stands, beside that of its proxy. */
export function viewHostOf(proxyHost: string): string {
  return proxyHost.replace(/^[^.:]+/, `$&${viewSuffix}`);
}

/** The host name of the proxy of a view that has an origin of its own. */
export function proxyHostOf(viewHost: string): string {
  return viewHost.replace(new RegExp(`^([^.:]+)${viewSuffix}(?=[.:]|$)`), '$1');
}
