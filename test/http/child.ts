import { fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { programOf } from '../support/program.ts';
import type { Order, Usage } from './child-server.ts';

export interface Child {
  url: string;
  /** Does something in the child, and gives what it uses afterwards. */
  order(order: Order): Promise<Usage>;
}

const program = programOf(new URL('./child-server.ts', import.meta.url));

/** Starts a server in a process of its own; it is ended with the test. */
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
