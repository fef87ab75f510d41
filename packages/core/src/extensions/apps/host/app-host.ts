import { pageLimits as limits } from '../../../page-limits.ts';
import type { HostedView } from './hosted-view.ts';
import type { AppHostOptions } from './options.ts';
import { ViewController } from './view-controller.ts';

/** Shows one view: reads its document, loads it into a sandbox, and exchanges messages with it until it is closed. */
export function appHost(options: AppHostOptions): HostedView {
  for (const limit of Object.values(limits.appHost)) {
    const given = 'option' in limit ? options[limit.option] : undefined;
    if (given !== undefined && !(given > 0)) throw new TypeError(`${limit.what}: must be a number above 0`);
  }
  return new ViewController(options);
}
