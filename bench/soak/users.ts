import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, connect, httpTransport, spawn } from '@ccmcp/core/client';
import type { Tally } from './tally.ts';

/** The server under test. */
interface Scene {
  readonly url: string;
  /** The command that serves the same on stdio. */
  readonly command: readonly string[];
  readonly tally: Tally;
  readonly stop: AbortSignal;
}

/** Starts correct clients, in both eras, over HTTP and on stdio, until the signal aborts. */
export function startUsers(scene: Scene): Promise<void>[] {
  const { url } = scene;
  return [
    ...[1, 2, 3].map((n) =>
      use(scene, `http 2026-07-28 #${n}`, () => connect(httpTransport(url), { era: 'stateless' })),
    ),
    ...[1, 2, 3].map((n) =>
      use(scene, `http handshake #${n}`, () => connect(httpTransport(url), { era: 'handshake' })),
    ),
    use(scene, 'stdio', () => connect(spawn(process.execPath, [...scene.command]))),
    watchNotes(scene, 'stateless'),
    watchNotes(scene, 'handshake'),
  ];
}

/** Connects, makes a hundred calls, disconnects, and starts again. */
async function use({ tally, stop }: Scene, who: string, open: () => Promise<Client>): Promise<void> {
  const kind = who.replace(/ #\d+$/, '');
  for (let round = 0; !stop.aborted; round++) {
    await tally.expect(`${kind}: a connection`, async () => {
      const client = await open();
      try {
        for (let step = 0; step < 100 && !stop.aborted; step++) {
          const doing = doings[step % doings.length] ?? echo;
          await tally.expect(`${kind}: ${doing.name}`, () => doing(client, `${who} ${round} ${step}`));
          await pause(Math.random() * 40);
        }
      } finally {
        await client.close();
      }
    });
  }
}

type Doing = (client: Client, text: string) => Promise<void>;

const doings: readonly Doing[] = [echo, keepNote, listTools, addNumbers, listNotes, complete, rejectedCall];

async function echo(client: Client, text: string): Promise<void> {
  const { content } = await client.callTool('echo', { message: text });
  deepEqual(content, [{ type: 'text', text }]);
}

async function addNumbers(client: Client): Promise<void> {
  const { content } = await client.callTool('add', { a: 2, b: 40 });
  deepEqual(content, [{ type: 'text', text: '42' }]);
}

/** An acknowledged note exists until it is deleted. */
async function keepNote(client: Client, text: string): Promise<void> {
  const made = await client.callTool('create_note', { title: text, content: text.repeat(20) });
  const { id } = made.structuredContent as { id: string };
  const read = await client.callTool('get_note', { id });
  equal((read.structuredContent as { content: string }).content, text.repeat(20));
  const { isError } = await client.callTool('delete_note', { id });
  equal(isError, false);
}

async function listTools(client: Client): Promise<void> {
  const tools = await client.listTools().all();
  ok(tools.some(({ name }) => name === 'create_note'));
}

async function listNotes(client: Client): Promise<void> {
  const { isError } = await client.callTool('list_notes', {});
  equal(isError, false);
}

async function complete(client: Client): Promise<void> {
  const { values } = await client.complete({
    ref: { type: 'ref/resource', uri: 'notes://{id}' },
    argument: { name: 'id', value: 'note_' },
  });
  ok(values.length > 0);
}

/** Wrong arguments get an error result. */
async function rejectedCall(client: Client): Promise<void> {
  const { isError } = await client.callTool('add', { a: 'two' });
  equal(isError, true);
}

/** Changes a note and waits for the notification, repeatedly. */
async function watchNotes({ url, tally, stop }: Scene, era: 'stateless' | 'handshake'): Promise<void> {
  while (!stop.aborted) {
    await tally.expect(`a listener, ${era}`, async () => {
      const client = await connect(httpTransport(url), { era });
      try {
        const { structuredContent } = await client.callTool('create_note', { title: 'watched', content: '0' });
        const { id } = structuredContent as { id: string };
        let onChange: () => void = () => {};
        const changes = await client.listen({ uris: [`notes://${id}`] }, { onChange: () => onChange() });
        for (let change = 1; change <= 20 && !stop.aborted; change++) {
          await tally.expect(`notified of a change, ${era}`, async () => {
            const notified = new Promise<void>((resolve) => {
              onChange = resolve;
            });
            await client.callTool('update_note', { id, content: String(change) });
            await Promise.race([
              notified,
              pause(20_000, undefined, { ref: false }).then(() => Promise.reject(new Error('no notification in 20 s'))),
            ]);
          });
          await pause(100);
        }
        await changes.close();
        await client.callTool('delete_note', { id });
      } finally {
        await client.close();
      }
    });
  }
}
