import { Buffer } from 'node:buffer';
import type { Project } from './project.ts';
import type { Variable } from './server-json.ts';

/** Markdown with a link per client that installs the server from npm. */
export function installButtons({ name }: Project, variables: readonly Variable[]): string {
  const server = name.replace(/^@[^/]*\//, '');
  const env = Object.fromEntries(variables.map(({ name: variable }) => [variable, '']));
  const entry = { command: 'npx', args: ['-y', name], ...(variables.length > 0 && { env }) };
  const inputs = variables.map(({ name: variable, isSecret }) => ({
    type: 'promptString',
    id: variable,
    description: variable,
    password: isSecret,
  }));
  const asked = Object.fromEntries(variables.map(({ name: variable }) => [variable, `\${input:${variable}}`]));
  const code = encodeURIComponent(JSON.stringify({ ...entry, ...(variables.length > 0 && { env: asked }) }));
  const codeInputs = inputs.length === 0 ? '' : `&inputs=${encodeURIComponent(JSON.stringify(inputs))}`;
  const cursor = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  const label = encodeURIComponent(server);
  return [
    `[Install in Cursor](https://cursor.com/en/install-mcp?name=${label}&config=${cursor})`,
    `[Install in VS Code](https://insiders.vscode.dev/redirect/mcp/install?name=${label}&config=${code}${codeInputs})`,
    '',
    '```json',
    JSON.stringify({ mcpServers: { [server]: entry } }, null, 2),
    '```',
    '',
  ].join('\n');
}
