import { describe, expect, it } from 'vitest';
import { callTool, connect, statelessVersion, toolNames } from '../support/ccmcp.ts';
import { connectInProcess } from '../support/in-process.ts';
import { expectError, type McpClient } from '../support/mcp-client.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const listChanged = 'notifications/tools/list_changed';
const updated = 'notifications/resources/updated';

function register(client: McpClient, name: string, template: string): Promise<string> {
  return callTool(client, 'register_tool', { name, description: `About ${name}`, template });
}

describe('tools registered at run time', () => {
  it('may not collide with tools of a composed server (TT-18)', async () => {
    const { client } = await connect({ args: ['ccmcp', 'greeting', '--log-level', 'emergency'] });
    for (const name of ['HelloTool', 'HELLOTOOL', 'Hello', 'he11o']) {
      expect(await register(client, name, 'mine')).toMatch(/^failed: .*choose another name/);
    }
    expect(await register(client, 'mine', 'mine')).toBe('Registered tool: mine');
  });

  it('are listed, called, replaced and removed, and clients are notified (S-T-02)', async () => {
    const { client } = await connectInProcess();
    expect(await register(client, 'answer', 'The answer to {question} is 42')).toBe('Registered tool: answer');
    await client.readNotification(listChanged);
    expect(await toolNames(client)).toContain('answer');
    expect(await callTool(client, 'answer', { question: 'life' })).toBe('The answer to life is 42');
    expect(await callTool(client, 'answer')).toMatch(/^failed: .*question/);

    expect(await register(client, 'answer', 'No idea')).toBe('Replaced tool: answer');
    await client.readNotification(listChanged);
    expect(await callTool(client, 'answer')).toBe('No idea');

    expect(await callTool(client, 'unregister_tool', { name: 'answer' })).toBe('Unregistered tool: answer');
    await client.readNotification(listChanged);
    expect(await toolNames(client)).not.toContain('answer');
    expectError(await client.sendRequest('tools/call', { name: 'answer' }), -32602);
    expect(client.notifications(listChanged)).toHaveLength(3);
  });

  it('are sent to a stateless client on a subscription only, and tagged (S-U-01, S-U-03, S-U-07)', async () => {
    const { client } = await connectInProcess({ version: statelessVersion });
    await register(client, 'before', 'x');
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['config://server'] };
    client.post('subscriptions/listen', { notifications }, 'mine');
    const acknowledged = await client.readNotification('notifications/subscriptions/acknowledged');
    expect(acknowledged.params).toEqual({ notifications, _meta: { [subscriptionId]: 'mine' } });
    await register(client, 'after', 'x');
    expect((await client.readNotification(listChanged)).params).toEqual({ _meta: { [subscriptionId]: 'mine' } });
    expect((await client.readNotification(updated)).params).toEqual({
      uri: 'config://server',
      _meta: { [subscriptionId]: 'mine' },
    });
    expect(client.notifications(listChanged)).toHaveLength(1);
  });

  it('change the configuration that a client subscribed to, until it unsubscribes (S-R-07)', async () => {
    const { client } = await connectInProcess();
    await client.request('resources/subscribe', { uri: 'config://server' });
    await register(client, 'one', 'x');
    expect((await client.readNotification(updated)).params).toEqual({ uri: 'config://server' });
    const { contents } = await client.request('resources/read', { uri: 'config://server' });
    expect(JSON.parse(contents[0].text)).toMatchObject({ toolCount: 14 });
    await client.request('resources/unsubscribe', { uri: 'config://server' });
    await register(client, 'two', 'x');
    await client.request('ping');
    expect(client.notifications(updated)).toHaveLength(1);
  });

  it('are filled in literally: no value is expanded again', async () => {
    const { client } = await connectInProcess();
    const filled = [
      ['{a}{a} {b}', { a: '1', b: '2' }, '11 2'],
      ['{{a}} {a} {{{a}}}', { a: '1' }, '{a} 1 {1}'],
      ['{a}', { a: '{a} {{b}} {c}' }, '{a} {{b}} {c}'],
      ['{a}', { a: "$& $1 $' %s \\n" }, "$& $1 $' %s \\n"],
      ['<{__proto__}{constructor}>', JSON.parse('{"__proto__":"p","constructor":"c"}'), '<pc>'],
      ['zwei\nZeilen {a_}', { a_: '\u{1F600}' }, 'zwei\nZeilen \u{1F600}'],
      ['no gaps', {}, 'no gaps'],
      ['', {}, ''],
    ] as const;
    for (const [template, args, text] of filled) {
      await register(client, 'made', template);
      expect(await callTool(client, 'made', args)).toBe(text);
    }
  });

  it('are rejected if the template or the name is invalid', async () => {
    const { client } = await connectInProcess();
    expect(await register(client, 'x', 'open {a')).toMatch(/^failed: Template: .*never closed/);
    expect(await register(client, 'x', 'close }')).toMatch(/^failed: Template: .*closes nothing/);
    expect(await register(client, 'x', '{}')).toMatch(/^failed: Template: .*empty/);
    expect(await register(client, 'x', '{a.b}')).toMatch(/^failed: Template: .*not a name/);
    expect(await register(client, 'not a name', 'x')).toMatch(/^failed: .*name/);
    expect(await register(client, 'x', 'x'.repeat(70_000))).toMatch(/^failed: Template: .*64 KiB/);
    expect(await register(client, 'hello', 'x')).toMatch(/^failed: "hello" is a built-in tool/);
    expect(await callTool(client, 'unregister_tool', { name: 'hello' })).toMatch(/^failed: "hello" is a built-in tool/);
    expect(await callTool(client, 'unregister_tool', { name: 'x' })).toMatch(/^failed: There is no registered tool/);
    expect(await toolNames(client)).toHaveLength(13);
    expect(client.notifications(listChanged)).toEqual([]);
  });
});
