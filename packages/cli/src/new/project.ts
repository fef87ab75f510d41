/** The kind of a new project. */
export interface ProjectKind {
  name: string;
  language: 'js' | 'ts';
  /** The transport of its server. */
  transport: 'stdio' | 'http';
  /** The version of `@ccmcp/core` in package.json: a range, or a file. */
  core: string;
}

/** The port of a project that serves over HTTP. */
export const projectPort = 3000;

/** The files of a new project, by path. */
export function projectFiles(kind: ProjectKind): Record<string, string> {
  const { language, transport } = kind;
  return {
    'package.json': json(manifest(kind)),
    ...(language === 'ts' && { 'tsconfig.json': json(tsconfig) }),
    '.gitignore': `node_modules/\n${language === 'ts' ? 'dist/\n' : ''}`,
    'README.md': readme({ ...kind, port: projectPort }),
    [`src/server.${language}`]: server(kind),
    [`src/main.${language}`]: transport === 'http' ? mainOverHttp(kind) : mainOverStdio(kind),
    [`src/server.test.${language}`]: tests(kind),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function manifest({ name, language, core }: ProjectKind): object {
  const common = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20' },
  };
  const dependencies = { '@ccmcp/core': core };
  if (language === 'js')
    return { ...common, scripts: { start: 'node src/main.js', test: 'node --test' }, dependencies };
  const scripts = {
    build: 'tsc',
    prepare: 'tsc',
    prestart: 'tsc',
    start: 'node dist/main.js',
    pretest: 'tsc',
    test: 'cd dist && node --test',
  };
  return { ...common, scripts, dependencies, devDependencies: { '@types/node': '^20.19.0', typescript: '^7.0.2' } };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

function server({ name }: ProjectKind): string {
  return `import { createServer, tool } from '@ccmcp/core';

const greet = tool(
  'greet',
  {
    description: 'Greet someone by name',
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Who is greeted' } },
      required: ['name'],
    },
  },
  ({ name }) => \`Hello, \${name}!\`,
);

/** What this server offers. It is served by main, and tested as it is. */
export const server = createServer({ name: '${name}', version: '0.1.0', tools: [greet] });
`;
}

function mainOverStdio({ name, language }: ProjectKind): string {
  return `// Serves one client, which starts this program and talks to it over standard input and output.
import { serveStdio } from '@ccmcp/core/stdio';
import { server } from './server.${language}';

if (process.stdin.isTTY) console.error('${name} waits for the messages of a client; README.md says how to try it. Ctrl+C ends it.');
serveStdio(server);
`;
}

function mainOverHttp({ name, language }: ProjectKind): string {
  return `// Serves any number of clients over HTTP, on this machine only. PORT names another port.
import { serveHttp } from '@ccmcp/core/http';
import { server } from './server.${language}';

const service = await serveHttp(server, { port: Number(process.env.PORT ?? ${projectPort}) });
console.log(\`${name} is served at \${service.url}\`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await service.close();
    process.exit();
  });
}
`;
}

function tests({ language, transport }: ProjectKind): string {
  const overHttp = `
test('is served over HTTP', async () => {
  const service = await serveHttp(server);
  const client = await connect(httpTransport(service.url));
  assert.equal(expectText(await client.callTool('greet', { name: 'Ada' })), 'Hello, Ada!');
  await client.close();
  await service.close();
});
`;
  const imports = `import { connect, httpTransport } from '@ccmcp/core/client';
import { serveHttp } from '@ccmcp/core/http';
`;
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
${transport === 'http' ? imports : ''}import { expectText, expectToolError, testClient } from '@ccmcp/core/testing';
import { server } from './server.${language}';

test('greets by name', async () => {
  const client = await testClient(server);
  assert.equal(expectText(await client.callTool('greet', { name: 'Ada' })), 'Hello, Ada!');
});

test('wants a name', async () => {
  const client = await testClient(server);
  assert.match(expectToolError(await client.callTool('greet', {})), /name/);
});
${transport === 'http' ? overHttp : ''}`;
}

/** The facts that the README needs. */
export interface ReadmeFacts {
  name: string;
  language: 'js' | 'ts';
  transport: 'stdio' | 'http';
  core: string;
  port: number;
}

/** The README of a new project. */
function readme(facts: ReadmeFacts): string {
  const { name, language, transport, core } = facts;
  const built = language === 'ts' ? 'dist' : 'src';
  return `# ${name}

An MCP (Model Context Protocol) server. What it offers is in \`src/server.${language}\`, its tests are in
\`src/server.test.${language}\`, and \`src/main.${language}\` serves it ${transport === 'http' ? 'over HTTP' : 'on standard input and output'}.

\`\`\`sh
npm install
npm test
npm start
\`\`\`
${language === 'ts' ? typescript : ''}
## Trying it

With the command \`ccmcp\` (from a clone: the path of its file \`ccmcp\`):

\`\`\`sh
ccmcp list ${built}/server.js
ccmcp call ${built}/server.js greet name=Ada
\`\`\`

## Into a client

${transport === 'http' ? httpEntry(facts) : stdioEntry(facts, built)}
## The library

${core.startsWith('file:') ? packedCoreText(core) : fromRegistry}`;
}

const typescript = `
TypeScript is compiled to \`dist/\` before it runs: by \`npm install\`, \`npm start\` and \`npm test\`, or by \`npm run build\`.
`;

function stdioEntry({ name }: ReadmeFacts, built: string): string {
  const entry = { mcpServers: { [name]: { command: 'node', args: [`/path/to/${name}/${built}/main.js`] } } };
  return `\`\`\`sh
ccmcp install cursor --name ${name} -- node "$PWD/${built}/main.js"
\`\`\`

puts it into Cursor; \`ccmcp install --help\` lists the other clients. By hand, with the path of this folder:

\`\`\`json
${JSON.stringify(entry, null, 2)}
\`\`\`
`;
}

function httpEntry({ name, port }: ReadmeFacts): string {
  const url = `http://127.0.0.1:${port}/mcp`;
  return `While \`npm start\` runs, the server is at \`${url}\`; the variable \`PORT\` names another port.

\`\`\`sh
ccmcp install cursor ${name} --url ${url}
\`\`\`

puts it into Cursor; \`ccmcp install --help\` lists the other clients. By hand:

\`\`\`json
${JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2)}
\`\`\`
`;
}

const fromRegistry = `\`@ccmcp/core\` comes from the registry: \`npm update @ccmcp/core\` gets a newer one.
`;

function packedCoreText(core: string): string {
  return `\`@ccmcp/core\` was packed from a clone of ccmcp and lies in \`${core.slice('file:'.length)}\`: keep it with the sources. To
take a newer one, run \`npm pack --workspace @ccmcp/core\` in the clone and \`npm install\` with the path of the file that it
names; to take it from a registry, \`npm install @ccmcp/core\`.
`;
}
