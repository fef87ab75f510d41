import { isObject } from '../../../jsonrpc/message.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ViewPermission } from '../sandbox-settings.ts';
import type { ViewCsp } from '../view-meta.ts';
import type { AppHostOptions, DisplayMode } from './options.ts';

/** Versions of the protocol between host and view, newest first. They are no MCP revisions. */
const viewVersions: readonly string[] = ['2026-01-26', '2025-11-21'];

/** The version to answer a view with: its own if supported, else the newest. */
export function negotiateVersion(wanted: unknown): string {
  return viewVersions.find((version) => version === wanted) ?? (viewVersions[0] as string);
}

/** The permissions granted to a view. */
export interface GrantedPermissions {
  readonly csp: Required<ViewCsp>;
  readonly permissions: readonly ViewPermission[];
}

const blocks = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };

/** The capabilities that a host declares to a view: those with a handler. */
export function hostCapabilities(
  options: AppHostOptions,
  { csp, permissions }: GrantedPermissions,
): Record<string, unknown> {
  const listChanged = options.tellsListChanges === true ? { listChanged: true } : {};
  return {
    serverTools: listChanged,
    serverResources: listChanged,
    sandbox: { csp, permissions: Object.fromEntries(permissions.map((name) => [name, {}])) },
    ...(options.openLink && { openLinks: {} }),
    ...(options.download && { downloadFile: {} }),
    ...(options.onLog && { logging: {} }),
    ...(options.message && { message: blocks }),
    ...(options.modelContext && { updateModelContext: { ...blocks, structuredContent: {} } }),
    ...(options.sample && { sampling: options.sampleTools === true ? { tools: {} } : {} }),
  };
}

/** The capabilities of a view that a host needs. */
export interface ViewCapabilities {
  readonly tools: boolean;
  /** Undefined if it lists none: then it supports every mode. */
  readonly displayModes: readonly DisplayMode[] | undefined;
}

const longestName = 200;

/** The name and version of a view, truncated for display; undefined if it sends none. */
export function parseViewInfo(given: unknown): Implementation | undefined {
  const { name, version, title } = isObject(given) ? given : {};
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  return {
    name: name.slice(0, longestName),
    version: version.slice(0, longestName),
    ...(typeof title === 'string' && { title: title.slice(0, longestName) }),
  };
}

const modes: readonly unknown[] = ['inline', 'fullscreen', 'pip'];

/** True for a display mode. */
export function isDisplayMode(value: unknown): value is DisplayMode {
  return modes.includes(value);
}

/** Parses the capabilities that a view sends. */
export function parseViewCapabilities(given: unknown): ViewCapabilities {
  const { tools, availableDisplayModes: listed } = isObject(given) ? given : {};
  const known = Array.isArray(listed) ? listed.filter(isDisplayMode) : [];
  return { tools: isObject(tools), displayModes: known.length === 0 ? undefined : known };
}
