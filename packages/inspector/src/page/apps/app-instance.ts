import type {
  AppHostOptions,
  AppMessage,
  AppPage,
  AppServer,
  DisplayMode,
  DownloadedFile,
  HostedView,
  ModelContext,
  SandboxReport,
} from '@ccmcp/core/apps-host';
import { batch, signal } from '@preact/signals';
import { downloadFile } from '../model/api.ts';

/** Something a view asks permission for. */
export interface PermissionRequest {
  readonly wants: string;
  readonly detail: string;
  /** The word on the button. */
  readonly verb: string;
  answer(isAllowed: boolean): void;
}

/** Something that the policy blocked, or an error. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
  /** Problems that the author of the view could fix. */
  readonly advice?: string;
  readonly isError: boolean;
  readonly times: number;
}

/** A message between page and view, with its time. */
export interface LoggedMessage extends AppMessage {
  readonly n: number;
  readonly at: number;
}

/** A log entry of a view, as the page shows it. */
export interface LogLine {
  readonly n: number;
  readonly level: string;
  readonly logger?: string;
  readonly text: string;
}

/** Options that differ between views. */
export type AppInstanceOptions = Pick<
  AppHostOptions,
  | 'container'
  | 'sandboxUrl'
  | 'server'
  | 'tool'
  | 'callId'
  | 'tools'
  | 'resources'
  | 'hostInfo'
  | 'context'
  | 'relaxed'
  | 'origin'
  | 'permissions'
  | 'sample'
>;

const maxMessages = 500;
const maxFindings = 100;
const maxLogs = 100;
const maxLogLength = 2000;
/** A view may send hundreds of messages per second; the page renders them at this interval. */
const publishMs = 100;
/** Grace period of a view that is closed. It is hidden meanwhile, so it may be long. */
const teardownMs = 5000;
/** Error code for a request that the user rejected. */
const rejectedByPerson = -32000;

/** A running view, with its messages, logs and findings. */
export class AppInstance {
  readonly state = signal<'starting' | 'ready' | 'closed'>('starting');
  readonly mode = signal<DisplayMode>('inline');
  readonly messages = signal<readonly LoggedMessage[]>([]);
  readonly findings = signal<readonly Finding[]>([]);
  readonly logs = signal<readonly LogLine[]>([]);
  /** The document, once it is loaded. */
  readonly page = signal<AppPage | undefined>(undefined);
  readonly permissionRequests = signal<readonly PermissionRequest[]>([]);
  readonly modelContext = signal<ModelContext | undefined>(undefined);
  readonly view: HostedView;
  readonly #messageBuffer: LoggedMessage[] = [];
  readonly #logBuffer: LogLine[] = [];
  #findingBuffer: readonly Finding[] = [];
  #publishTimer: ReturnType<typeof setTimeout> | undefined;
  #passed = 0;
  #logged = 0;
  #maySample: Promise<boolean> | undefined;
  #inlineHeight: number | undefined;

  constructor(appHost: (options: AppHostOptions) => HostedView, options: AppInstanceOptions) {
    const { sample, ...hostOptions } = options;
    this.view = appHost({
      ...hostOptions,
      tellsListChanges: true,
      teardownMs,
      ...(sample !== undefined && {
        sample: async (params, signal) => {
          await this.#assertMaySample(signal);
          return sample(params, signal);
        },
        sampleTools: true,
      }),
      approve: (page) => this.#onPage(page),
      openLink: (url) =>
        this.#askPermission({ wants: 'wants to open a page', detail: url.href, verb: 'Open' }, () => {
          window.open(url.href, '_blank', 'noopener,noreferrer');
        }),
      download: (files) =>
        this.#askPermission(
          { wants: 'wants to save files', detail: files.map(({ name }) => name).join('\n'), verb: 'Save' },
          () => downloadFiles(files, options.server),
        ),
      message: (content) =>
        this.#askPermission({
          wants: 'wants to say this for you',
          detail: content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n'),
          verb: 'Accept',
        }),
      modelContext: (context) => (this.modelContext.value = context),
      displayMode: (mode) => (this.mode.value = mode),
      onSize: ({ height }) => {
        if (this.mode.value === 'inline') this.#inlineHeight = height ?? this.#inlineHeight;
      },
      onMessage: (message) => this.#logMessage(message),
      onLog: ({ level, logger, data }) => {
        this.#logged += 1;
        const text = (typeof data === 'string' ? data : (JSON.stringify(data) ?? '')).slice(0, maxLogLength);
        pushBounded(
          this.#logBuffer,
          { n: this.#logged, level, ...(logger !== undefined && { logger }), text },
          maxLogs,
        );
        this.#schedulePublish();
      },
      onReport: (report) => this.#addReport(report),
      onProblem: ({ message }) => this.#addFinding({ what: message, detail: '', isError: true }),
      onClosed: () => this.#onClosed(),
    });
    this.view.ready.then(
      () => (this.state.value = 'ready'),
      () => this.#onClosed(),
    );
  }

  /** Changes the display mode, if the view supports it. */
  display(mode: DisplayMode): void {
    try {
      this.view.setDisplayMode(mode);
      this.mode.value = mode;
    } catch (error) {
      this.#addFinding({ what: (error as Error).message, detail: '', isError: false });
    }
  }

  /** Restores the inline height of the frame: a view reports its size only when it changes. */
  fitInline(): void {
    if (this.#inlineHeight !== undefined)
      this.view.changeContext({ containerDimensions: { height: this.#inlineHeight } });
  }

  /** Adds a finding that is no error. */
  addNote(what: string, detail: string): void {
    this.#addFinding({ what, detail, isError: false });
  }

  #onPage(page: AppPage): boolean {
    this.page.value = page;
    for (const entry of page.rejected) {
      const advice = 'An origin, such as https://example.com';
      this.#addFinding({ what: 'no origin, so it was left out of the policy', detail: entry, advice, isError: false });
    }
    return true;
  }

  /** Asks the user once per view whether it may send sampling requests. */
  async #assertMaySample(signal: AbortSignal): Promise<void> {
    const wants = 'wants to ask for answers of a model';
    this.#maySample ??= this.#askPermission({
      wants,
      detail: 'Each is shown to you before it is answered.',
      verb: 'Let it',
    });
    const isAllowed = await this.#maySample;
    signal.throwIfAborted();
    if (isAllowed) return;
    this.#maySample = undefined;
    throw Object.assign(new Error('The person does not want that'), { code: rejectedByPerson });
  }

  #askPermission(request: Omit<PermissionRequest, 'answer'>, allowed?: () => unknown): Promise<boolean> {
    return new Promise((resolve) => {
      const asked: PermissionRequest = {
        ...request,
        answer: (isAllowed) => {
          this.permissionRequests.value = this.permissionRequests.value.filter((each) => each !== asked);
          if (isAllowed) allowed?.();
          resolve(isAllowed);
        },
      };
      this.permissionRequests.value = [...this.permissionRequests.value, asked];
    });
  }

  #logMessage(message: AppMessage): void {
    this.#passed += 1;
    const passed = { ...message, n: this.#passed, at: performance.timeOrigin + performance.now() };
    pushBounded(this.#messageBuffer, passed, maxMessages);
    this.#schedulePublish();
  }

  #schedulePublish(): void {
    this.#publishTimer ??= setTimeout(() => this.#publish(), publishMs);
  }

  #publish(): void {
    clearTimeout(this.#publishTimer);
    this.#publishTimer = undefined;
    batch(() => {
      this.messages.value = [...this.#messageBuffer];
      this.logs.value = [...this.#logBuffer];
      this.findings.value = this.#findingBuffer;
    });
  }

  #addReport(report: SandboxReport): void {
    if (report.kind === 'policy') {
      const { directive, blocked, advice } = report;
      return this.#addFinding({ what: `${directive} stopped`, detail: blocked, advice, isError: false });
    }
    if (report.kind === 'error') {
      return this.#addFinding({ what: report.message, detail: `line ${report.line}`, isError: true });
    }
    if (report.kind === 'refused') return this.#addFinding({ what: 'refused', detail: report.what, isError: true });
    this.#addFinding({ what: `${report.dropped} messages were too many`, detail: '', isError: true });
  }

  #addFinding(found: Omit<Finding, 'times'>): void {
    const before = this.#findingBuffer;
    const same = before.find(({ what, detail }) => what === found.what && detail === found.detail);
    this.#findingBuffer =
      same === undefined
        ? [...before, { ...found, times: 1 }].slice(-maxFindings)
        : before.map((each) => (each === same ? { ...same, times: same.times + 1 } : each));
    this.#schedulePublish();
  }

  #onClosed(): void {
    this.#publish();
    this.state.value = 'closed';
    this.mode.value = 'inline';
    for (const request of this.permissionRequests.value) request.answer(false);
  }
}

/** Adds an entry; beyond the maximum, drops the oldest. */
function pushBounded<T>(entries: T[], entry: T, max: number): void {
  entries.push(entry);
  if (entries.length > max) entries.shift();
}

interface Contents {
  readonly text?: string;
  readonly blob?: string;
}

/** Downloads files of a view; linked resources are read from its server. */
async function downloadFiles(files: readonly DownloadedFile[], server: AppServer): Promise<void> {
  for (const { name, content } of files) {
    const given: readonly Contents[] =
      content.type === 'resource'
        ? [content.resource]
        : ((await server.request('resources/read', { uri: content.uri })) as { contents: Contents[] }).contents;
    const [contents] = given;
    if (contents === undefined) continue;
    const { text, blob = '' } = contents;
    const bytes = text ?? Uint8Array.from(atob(blob), (letter) => letter.charCodeAt(0));
    downloadFile(new Blob([bytes], { type: 'application/octet-stream' }), name);
  }
}

/** An element with `moveBefore`, which keeps a moved frame running. */
type MoveTarget = HTMLElement & { moveBefore?(element: Element, before: Element | null): void };

/**
 * Closes a view whose container is removed. Hosts must notify it first, so its frame is moved to a hidden element for the grace period;
 * browsers that can't move frames kill it immediately.
 */
export function closeView(view: HostedView, stage: HTMLElement): void {
  const frame = stage.querySelector('iframe');
  const keeper: MoveTarget = document.createElement('div');
  if (frame?.isConnected !== true || keeper.moveBefore === undefined || view.state !== 'ready') return view.kill();
  keeper.hidden = true;
  document.body.append(keeper);
  keeper.moveBefore(frame, null);
  void view.close('It is shown no more').finally(() => keeper.remove());
}
