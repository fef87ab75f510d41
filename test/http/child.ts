import { fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { programOf } from '../support/program.ts';
import type { Order, Usage } from './child-server.ts';

export interface Child {
  url: string;
  /** Sends an order to the child, and returns its resource usage afterwards. */
  order(order: Order): Promise<Usage>;
}

const program = programOf(new URL('./child-server.ts', import.meta.url));

/** Starts a server in its own process until the test ends. */
export async function startChild(): Promise<Child> {
  const child = fork(program, { execArgv: ['--expose-gc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async order(order) {
      child.send(order);
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
  };
}
