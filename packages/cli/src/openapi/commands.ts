import { candidates, type Command } from '../command/command.ts';
import { defineCommand } from '../command/define-command.ts';
import { helpOption, type Option } from '../command/options.ts';
import { serveOptions, serverOptions } from '../servers/serve-options.ts';
import { ownOptions } from './own-options.ts';

const notServing = ['workers', 'version', 'help', ...Object.keys(serverOptions).filter((name) => name !== 'log-level')];

/** The options of serving that apply to an API; each may be repeated as far as it may be anywhere. */
const serving: Readonly<Record<string, Option & { readonly multiple: true }>> = Object.fromEntries(
  Object.entries(serveOptions)
    .filter(([name]) => !notServing.includes(name))
    .map(([name, option]) => [name, { ...option, multiple: true }]),
);

/** `ccmcp openapi FILE|URL`. */
export const openapiCommand: Command = defineCommand({
  name: 'openapi',
  usage: 'FILE|URL',
  summary: 'serve an HTTP API that an OpenAPI document describes: each operation is a tool',
  aliases: { swagger: 'openapi FILE|URL', api: 'openapi FILE|URL', rest: 'openapi FILE|URL' },
  description: `
Serves the API of an OpenAPI document (3.0, 3.1 or 3.2, as JSON or YAML) on stdio, or over HTTP with --http. What the document
says wrongly is written to stderr, with its place, and the rest is served. Credentials are never arguments of tools.
The options of "ccmcp --help" for messages and for HTTP apply too.`,
  options: { ...ownOptions, ...serving },
  moreHelp: async () => ({ options: { ...ownOptions, help: helpOption } }),
  examples: [
    'ccmcp openapi ./pets.yaml --base-url http://localhost:3000',
    "ccmcp openapi https://api.example.com/openapi.json --auth 'bearer=${TOKEN}' --include tag:pets,method:get",
    'ccmcp openapi ./pets.yaml --http 8080 --api-key-env KEY --tool-search',
  ],
  exitCodes: '0 the client disconnected or it was told to stop, 1 it could not start, 2 the command line is wrong.',
  complete: () => candidates([], 'files'),
  async run({ values, positionals }) {
    const typed = Object.entries(values).filter(([name]) => Object.hasOwn(serving, name));
    const words = typed.flatMap(([name, value]) =>
      [value].flat().map((each) => (typeof each === 'string' && each !== '' ? `--${name}=${each}` : `--${name}`)),
    );
    const { serveOpenApi } = await import('./serve-openapi.ts');
    return serveOpenApi({ positionals, values, serving: words });
  },
});
