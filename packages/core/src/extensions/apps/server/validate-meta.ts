import { isObject } from '../../../jsonrpc/message.ts';
import { isOrigin } from '../origin.ts';
import { cspLists, type ViewMeta, viewPermissions } from '../view-meta.ts';

/** Throws for metadata that hosts would reject or misread. `title` names the view. */
export function validateMeta(title: string, { csp, permissions, domain, prefersBorder }: ViewMeta): void {
  if (csp !== undefined) validateCsp(title, csp);
  if (permissions !== undefined) validatePermissions(title, permissions);
  if (domain !== undefined && typeof domain !== 'string') throw new TypeError(`${title}: "domain" must be a string`);
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean') {
    throw new TypeError(`${title}: "prefersBorder" must be true or false`);
  }
}

function validateCsp(title: string, csp: unknown): void {
  const known = cspLists.map((name) => `"${name}"`).join(', ');
  if (!isObject(csp)) throw new TypeError(`${title}: "csp" must be an object with lists of origins: ${known}`);
  for (const [name, origins] of Object.entries(csp)) {
    if (!cspLists.includes(name as (typeof cspLists)[number])) {
      throw new TypeError(`${title}: "csp" has no list "${name.slice(0, 100)}": there are ${known}`);
    }
    if (!Array.isArray(origins)) {
      throw new TypeError(`${title}: "${name}" must be a list of origins, such as ["https://example.com"]`);
    }
    for (const origin of origins as unknown[]) {
      if (isOrigin(origin)) continue;
      const shown = typeof origin === 'string' ? JSON.stringify(origin.slice(0, 100)) : typeof origin;
      const hint = shown.includes('[')
        ? 'policies of browsers know no addresses of IPv6, so give the host a name'
        : 'write a scheme and a host, such as "https://example.com", "https://*.example.com" or "wss://example.com:8443"';
      throw new TypeError(`${title}: ${shown} in "${name}" is no origin: ${hint}`);
    }
  }
}

function validatePermissions(title: string, permissions: unknown): void {
  const known = viewPermissions.map((name) => `"${name}"`).join(', ');
  if (!isObject(permissions)) {
    throw new TypeError(`${title}: "permissions" must be an object, such as { camera: {} }; there are ${known}`);
  }
  for (const [name, value] of Object.entries(permissions)) {
    if (!viewPermissions.includes(name as (typeof viewPermissions)[number])) {
      throw new TypeError(`${title}: there is no permission "${name.slice(0, 100)}": there are ${known}`);
    }
    if (!isObject(value)) throw new TypeError(`${title}: write permissions: { ${name}: {} }`);
  }
}
