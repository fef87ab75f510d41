import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../create-server.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import { linesOf, newFile } from './fixtures/log.ts';
import { audit } from './trail.ts';

it('an audit log has lines of bounded length, whatever a client sends', async () => {
  const file = newFile();
  const long = 'x'.repeat(100_000);
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}${long}`.slice(0, 200), long]));
  let deep: object = {};
  for (let level = 0; level < 500; level += 1) deep = { deep };
  const server = createServer({ name: 's', version: '1', logger: { level: 'emergency', write() {} } });
  const trail = audit({ file });
  onTestFinished(() => trail.close());
  server.observe(trail);
  const { request } = connectDirect(server);
  await request(
    'tools/call',
    { name: long, arguments: { wide, deep, list: Array.from({ length: 5000 }, () => wide) } },
    long,
  );

  expect(linesOf(file)[1]?.length).toBeLessThan(16_000);
});
