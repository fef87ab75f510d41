import type { Server } from '@ccmcp/core';
import { apiKey, type HttpService, serveHttp } from '@ccmcp/core/http';
import type { ServeCommand } from './command-line.ts';
import { listenError } from './listen-error.ts';

/** What a server listens with, beside what the command line says. */
export interface ListenOptions {
  /** Where the command line names none. */
  port: number;
  key?: { header: string; keys: string[] } | undefined;
}

/** Serves over HTTP as the command line says. Why it can't listen is told in words. */
export async function listen(server: Server, command: ServeCommand, options: ListenOptions): Promise<HttpService> {
  const { http = {}, allowHosts, allowOrigins, maxMessage, publicWithoutAuth, sse, rateLimit, workers } = command;
  const { port, key } = options;
  try {
    return await serveHttp(server, {
      port: http.port ?? port,
      ...(http.host !== undefined && { host: http.host }),
      ...(key !== undefined && { auth: apiKey({ header: key.header, keys: key.keys }) }),
      allowHosts,
      allowOrigins,
      maxBody: maxMessage,
      publicWithoutAuth,
      ...(sse && { sse: true }),
      ...(rateLimit !== undefined && { rateLimit }),
      ...(workers !== undefined && { workers }),
    });
  } catch (error) {
    throw listenError(error) ?? error;
  }
}

/** The keys that a variable of the environment holds, with commas between them. */
export function keysIn(variable: string): string[] {
  return (process.env[variable] ?? '').split(',').filter((key) => key !== '');
}
