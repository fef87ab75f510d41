import { isObject } from '../../jsonrpc/message.ts';
import { fromBase64, toBase64Url } from '../../runtime/base64.ts';
import { sanitizeCsp } from './csp.ts';
import { type ViewCsp, viewPermissions } from './view-meta.ts';

/** A permission that a view may ask for. */
export type ViewPermission = (typeof viewPermissions)[number];

/** The settings of one view's sandbox. They are part of its URL, so that the sandbox server is stateless. */
export interface SandboxSettings {
  /** The origin of the page that shows the view. */
  readonly host: string;
  /** True: the view has its own origin and storage. False: neither. */
  readonly own: boolean;
  readonly relaxed: boolean;
  readonly csp: Required<ViewCsp>;
  readonly permissions: readonly ViewPermission[];
}

/** Encodes settings as a path segment. Not a query: a policy can restrict a frame to one path. */
export function encodeSettings(settings: SandboxSettings): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(settings)));
}

/** Decodes and validates settings; undefined for anything else. */
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

/** True for the origin of a page, as browsers write it, that a policy can express: no IPv6. */
export function isPageOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const features: Readonly<Record<ViewPermission, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** The `allow` attribute that grants permissions to a frame. An opaque origin needs `*`. */
export function allowAttribute(permissions: readonly ViewPermission[], own: boolean): string {
  return permissions.map((name) => `${features[name]}${own ? '' : ' *'}`).join('; ');
}

const viewSuffix = '-view';

/** The host name of the view's document, beside that of its proxy. */
export function viewHostOf(proxyHost: string): string {
  return proxyHost.replace(/^[^.:]+/, `$&${viewSuffix}`);
}

/** The host name of the proxy of a view with its own origin. */
export function proxyHostOf(viewHost: string): string {
  return viewHost.replace(new RegExp(`^([^.:]+)${viewSuffix}(?=[.:]|$)`), '$1');
}
