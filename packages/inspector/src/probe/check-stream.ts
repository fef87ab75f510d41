import { ProtocolError } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import { ask, TimeoutError } from './http.ts';
import { Problem } from './report.ts';

const timeoutMs = 3000;

/** Checks that streamed messages arrive immediately, without buffering on the way. */
export async function checkStream(client: Client, url: URL, headers: Record<string, string>): Promise<string> {
  return client.era === 'stateless' ? checkSubscription(client) : checkSessionStream(client, url, headers);
}

async function checkSubscription(client: Client): Promise<string> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(bufferingProblem()), timeoutMs);
  try {
    const asked = client.listen({ tools: true, prompts: true, resources: true }, { signal: giveUp.signal });
    const late = new Promise<never>((_, reject) => {
      giveUp.signal.addEventListener('abort', () => reject(giveUp.signal.reason as Error), { once: true });
    });
    const subscription = await Promise.race([asked, late]);
    await subscription.close();
    return 'a subscription is confirmed at once';
  } catch (error) {
    if (error instanceof ProtocolError) return 'the server offers no subscriptions';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a session of its own: a session allows one stream only. */
async function checkSessionStream(client: Client, url: URL, given: Record<string, string>): Promise<string> {
  const { protocolVersion } = client;
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'ccmcp-probe', version: '1' } };
  const begun = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const opened = await ask(url, { method: 'POST', headers: given, body: begun, patienceMs: timeoutMs });
  const session = opened.headers['mcp-session-id'];
  const headers = {
    ...given,
    'mcp-protocol-version': protocolVersion,
    ...(typeof session === 'string' && { 'mcp-session-id': session }),
  };
  try {
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    await ask(url, { method: 'POST', headers, body: ready, patienceMs: timeoutMs });
    const { status } = await ask(url, { method: 'GET', headers, patienceMs: timeoutMs });
    return status === 200 ? 'the stream opens at once' : `the server keeps no stream open (${status})`;
  } catch (error) {
    throw error instanceof TimeoutError ? bufferingProblem() : error;
  } finally {
    if (typeof session === 'string')
      await ask(url, { method: 'DELETE', headers, patienceMs: timeoutMs }).catch(() => {});
  }
}

function bufferingProblem(): Problem {
  const text = `Single answers arrive, but nothing of a stream does within ${timeoutMs / 1000} seconds`;
  const advice =
    'Something on the way holds answers back until they are complete: a proxy that buffers. Turn that off for this ' +
    'address (nginx: "proxy_buffering off;"), or reach the server without the proxy.';
  return new Problem('buffering', text, advice);
}
