import { type Client, type ConnectOptions, connect, httpTransport } from '@ccmcp/core/client';
import { skillsClient, skillsOf } from '@ccmcp/core/skills';
import { authFor } from './client-auth.ts';

// One scenario of the official suite, run by a plain user of the library. The suite names it in the environment.

const url = String(process.argv.at(-1));
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, unknown>;
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;

type Play = (client: Client) => Promise<void>;

const listAndCallAll: Play = async (client) => {
  for await (const { name } of client.listTools()) await client.callTool(name, { a: 5, b: 3 });
};

const loadSkills: Play = async (client) => {
  const remote = skillsOf(client);
  for (const skill of (await remote.list()).skills) {
    const loaded = await remote.load(skill);
    if (skill.resources === 'dynamic') continue;
    for (const { uri } of skill.resources) await loaded.read(uri);
  }
};

const plays: Record<string, Play> = {
  async initialize(client) {
    await client.listTools().all();
  },
  async tools_call(client) {
    await client.listTools().all();
    await client.callTool('add_numbers', { a: 5, b: 3 });
  },
  async 'elicitation-sep1034-client-defaults'(client) {
    await client.callTool('test_client_elicitation_defaults');
  },
  async 'sse-retry'(client) {
    await client.callTool('test_reconnection');
  },
  async 'request-metadata'(client) {
    await client.listTools().all();
  },
  async 'http-standard-headers'(client) {
    for await (const { name } of client.listTools()) await client.callTool(name);
    for await (const { uri } of client.listResources()) await client.readResource(uri);
    for await (const { name } of client.listPrompts()) await client.getPrompt(name);
  },
  async 'http-custom-headers'(client) {
    await client.listTools().all();
    const calls = (context.toolCalls ?? []) as { name: string; arguments: Record<string, unknown> }[];
    for (const { name, arguments: args } of calls) await client.callTool(name, args);
  },
  async 'http-invalid-tool-headers'(client) {
    for await (const { name } of client.listTools()) await client.callTool(name, { region: 'us-west1' });
  },
  async 'sep-2322-client-request-state'(client) {
    await client.listTools().all();
    await client.callTool('test_mrtr_echo_state');
    await client.callTool('test_mrtr_unrelated');
    await client.callTool('test_mrtr_no_state');
    await client.callTool('test_mrtr_no_result_type');
  },
  async 'sep-2640-client-no-prefetch'(client) {
    await skillsOf(client).list();
  },
  'sep-2640-client-verify-digest': loadSkills,
  'sep-2640-client-verify-size': loadSkills,
  'sep-2640-client-verify-frontmatter': loadSkills,
  async 'json-schema-ref-no-deref'(client) {
    await client.listTools().all();
  },
  async 'json-schema-2020-12-preservation'(client) {
    const tools = await client.listTools().all();
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await client.callTool('json_schema_echo', { schema });
  },
};

const options: ConnectOptions = {
  clientInfo: { name: 'ccmcp-conformance', version: '1.0.0' },
  elicit: () => ({ action: 'accept', content: {} }),
  extensions: [skillsClient],
  onWarning: (text) => console.error(text),
  ...(version !== undefined && { era: version >= '2026' ? 'stateless' : 'handshake' }),
};

const isAuth = scenario.startsWith('auth/');
const transport = httpTransport(url, isAuth ? { auth: authFor(scenario, context) } : {});
const client = await connect(transport, options);
try {
  await (plays[scenario] ?? listAndCallAll)(client);
} finally {
  await client.close();
}
