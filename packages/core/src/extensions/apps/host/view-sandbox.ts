import { pageLimits as limits } from '../../../page-limits.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { AppError } from './app-error.ts';
import type { GrantedPermissions } from './capabilities.ts';
import type { ViewSize } from './auto-resizer.ts';
import type { AppHostOptions } from './options.ts';
import type { AppPage } from './read-page.ts';
import { parseReport, type SandboxReport } from './sandbox-report.ts';
import { SandboxFrame } from './sandbox-frame.ts';

/** Events of a sandbox. */
export interface ViewSandboxEvents {
  /** The document was loaded. */
  filled(): void;
  /** The view sent a message. */
  message(message: unknown): void;
  left(): void;
  grabbed(): void;
  reported(report: SandboxReport): void;
}

const own = 'ui/notifications/sandbox-';

/** The sandbox of one view: its frame, its document and its reports. */
export class ViewSandbox {
  readonly granted: GrantedPermissions;
  readonly reports: SandboxReport[] = [];
  isFilled = false;
  readonly #frame: SandboxFrame;
  readonly #page: AppPage;
  readonly #events: ViewSandboxEvents;

  constructor(options: AppHostOptions, page: AppPage, events: ViewSandboxEvents) {
    const { container, sandboxUrl, partition, relaxed = false, permissions = [] } = options;
    const hasNames = sandboxUrl.includes('*');
    const { origin = hasNames ? 'own' : 'opaque' } = options;
    if (origin === 'own' && !hasNames) {
      throw new AppError(
        'sandbox',
        'sandboxUrl must have a * for views with an origin of their own, or all would share one',
      );
    }
    this.#page = page;
    this.#events = events;
    this.granted = { csp: page.csp, permissions: page.permissions.filter((name) => permissions.includes(name)) };
    const place = { sandboxUrl, partition, own: origin === 'own', relaxed, ...this.granted };
    this.#frame = new SandboxFrame(container, place, {
      message: (given) => this.#receive(given),
      left: events.left,
      grabbed: events.grabbed,
    });
  }

  post(message: unknown): void {
    this.#frame.post(message);
  }

  resize(size: ViewSize): void {
    this.#frame.resize(size);
  }

  remove(): void {
    this.#frame.remove();
  }

  #receive(message: unknown): void {
    const method = isObject(message) && typeof message.method === 'string' ? message.method : '';
    if (!method.startsWith(own)) return this.#events.message(message);
    if (method === `${own}proxy-ready` && !this.isFilled) return this.#fill();
    if (method === `${own}report`) this.#note(parseReport((message as { params?: unknown }).params));
  }

  #fill(): void {
    this.isFilled = true;
    const { csp, permissions } = this.granted;
    const granted = Object.fromEntries(permissions.map((name) => [name, {}]));
    const params = { html: this.#page.html, csp, permissions: granted };
    this.#frame.post({ jsonrpc: '2.0', method: `${own}resource-ready`, params });
    this.#events.filled();
  }

  #note(report: SandboxReport | undefined): void {
    if (report === undefined || this.reports.length >= limits.appHost.reports.value) return;
    this.reports.push(report);
    this.#events.reported(report);
  }
}
