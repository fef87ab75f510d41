import { toBase64 } from '../../../runtime/base64.ts';
import { buildCsp } from '../csp.ts';
import {
  allowAttribute,
  isPageOrigin,
  proxyHostOf,
  decodeSettings,
  type SandboxSettings,
  viewHostOf,
} from '../sandbox-settings.ts';
import { proxyPage, viewPage } from './proxy-page.ts';

/** Options of a sandbox. */
export interface AppSandboxOptions {
  /**
   * The origins of the pages that show views, for example `http://127.0.0.1:6280`. No other page can frame the sandbox.
   */
  hosts: readonly string[];
}

/** Handles requests for sandbox pages, in any server that uses `Request` and `Response`. */
export type AppSandbox = (request: Request) => Response;

const common = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
};

/** Creates the server side of sandboxes. It is stateless: each URL has the settings of its view. */
export function appSandbox({ hosts }: AppSandboxOptions): AppSandbox {
  for (const host of hosts) {
    if (!isPageOrigin(host)) {
      const why = host.includes('[') ? ': policies of browsers know no addresses of IPv6' : '';
      throw new TypeError(
        `hosts must be origins such as "http://127.0.0.1:6280", and one is ${JSON.stringify(host)}${why}`,
      );
    }
  }
  const allowed = new Set(hosts);
  return ({ url, method }) => {
    const { host, pathname } = new URL(url);
    const [, kind, text = '', ...rest] = pathname.split('/');
    const settings = decodeSettings(text);
    if ((kind !== 'proxy' && kind !== 'view') || rest.length > 0 || settings === undefined) {
      return rejection(404, 'There is no sandbox at this address');
    }
    if (method !== 'GET') return rejection(405, 'Sandboxes are read with GET');
    if (!allowed.has(settings.host)) return rejection(403, 'The page that wants to show a view is not one of "hosts"');
    return kind === 'proxy' ? proxy(host, text, settings) : view(host, settings);
  };
}

function proxy(host: string, text: string, { host: page, own, permissions }: SandboxSettings): Response {
  const nonce = toBase64(crypto.getRandomValues(new Uint8Array(16)));
  const viewHost = own ? viewHostOf(host) : host;
  const path = `/view/${text}`;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // One path only: a view that navigated to another page of the sandbox could choose its own policy.
    `frame-src ${viewHost}${path}`,
    `frame-ancestors ${page}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return answer(
    policy.join('; '),
    proxyPage({ host: page, path, viewHost, own, allow: allowAttribute(permissions, own) }, nonce),
  );
}

function view(host: string, { host: page, own, relaxed, csp }: SandboxSettings): Response {
  const proxyHost = own ? proxyHostOf(host) : host;
  const policy = [buildCsp(csp, { relaxed }), `frame-ancestors ${page} ${proxyHost}`];
  if (!own) policy.push('sandbox allow-scripts allow-forms');
  return answer(policy.join('; '), viewPage(proxyHost));
}

function answer(policy: string, body: string): Response {
  return new Response(body, { headers: { ...common, 'content-security-policy': policy } });
}

function rejection(status: number, text: string): Response {
  const headers = {
    ...common,
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  };
  return new Response(`${text}\n`, { status, headers });
}
