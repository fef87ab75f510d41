// Runs the contract tests of stores. Run it with: node --test examples/shared-store/store.test.js
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { memoryStore } from '@ccmcp/core/http';
import { storeContract } from '@ccmcp/core/testing';
import { borrowStore, lendStore } from './store.js';

/**
 * One end of a line within this process: what goes through is text, as between two.
 * @param {import('node:worker_threads').MessagePort} port
 * @returns {import('./store.js').Line}
 */
function lineOver(port) {
  return {
    send: (text) => port.postMessage(text),
    onMessage: (listener) => void port.on('message', listener),
    close: () => port.close(),
  };
}

for (const { name, run } of storeContract) {
  void test(name, async () => {
    const data = memoryStore();
    await run(() => {
      const { port1, port2 } = new MessageChannel();
      lendStore(data, lineOver(port1));
      return borrowStore(lineOver(port2));
    });
  });
}
