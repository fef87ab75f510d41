/** The facts that the README needs. */
export interface ReadmeFacts {
  name: string;
  language: 'js' | 'ts';
  transport: 'stdio' | 'http';
  core: string;
  port: number;
}

/** The README of a new project. */
export function readme(facts: ReadmeFacts): string {
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

${core.startsWith('file:') ? packed(core) : fromRegistry}`;
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

function packed(core: string): string {
  return `\`@ccmcp/core\` was packed from a clone of ccmcp and lies in \`${core.slice('file:'.length)}\`: keep it with the sources. To
take a newer one, run \`npm pack --workspace @ccmcp/core\` in the clone and \`npm install\` with the path of the file that it
names; to take it from a registry, \`npm install @ccmcp/core\`.
`;
}
