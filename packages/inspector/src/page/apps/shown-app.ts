import { batch, signal } from '@preact/signals';
import type {
  AppHostOptions,
  AppMessage,
  AppPage,
  DisplayMode,
  HostedView,
  ModelContext,
  SandboxReport,
} from '@ccmcp/core/apps-host';
import { saveFiles } from './save-files.ts';

/** What a view wants that needs a person. */
export interface Wish {
  readonly wants: string;
  readonly detail: string;
  /** The word on the button. */
  readonly verb: string;
  answer(isAllowed: boolean): void;
}

/** Something that the policy stopped, or that is wrong. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
  /** What the author of the view could write. */
  readonly advice?: string;
  readonly isError: boolean;
  readonly times: number;
}

/** A message between page and view, and when it went. */
export interface Passed extends AppMessage {
  readonly n: number;
  readonly at: number;
}

/** What a view logged, as it is shown. */
export interface LogLine {
  readonly n: number;
  readonly level: string;
  readonly logger?: string;
  readonly text: string;
}

/** What is needed to show a view; the rest is the same for all of them. */
export type AppWish = Pick<
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

const mostMessages = 500;
const mostFindings = 100;
const mostLogs = 100;
/** So much of a log entry is shown. */
const longestLog = 2000;
/** A view may send hundreds of messages in a second: what is heard of it is shown only so often. */
const publishMs = 100;
/** For a view to end that is shown no more. */
const teardownMs = 1000;
/** What a view is told where a person does not want something. */
const refusedByPerson = -32000;

/** A view that is shown, with all that was heard of it. */
export class ShownApp {
  readonly state = signal<'starting' | 'shown' | 'gone'>('starting');
  readonly mode = signal<DisplayMode>('inline');
  readonly messages = signal<readonly Passed[]>([]);
  readonly findings = signal<readonly Finding[]>([]);
  readonly logs = signal<readonly LogLine[]>([]);
  /** The document, once it is read. */
  readonly page = signal<AppPage | undefined>(undefined);
  readonly wishes = signal<readonly Wish[]>([]);
  readonly modelContext = signal<ModelContext | undefined>(undefined);
  readonly view: HostedView;
  readonly #heardMessages: Passed[] = [];
  readonly #heardLogs: LogLine[] = [];
  #heardFindings: readonly Finding[] = [];
  #publishing: ReturnType<typeof setTimeout> | undefined;
  #passed = 0;
  #logged = 0;
  #maySample: Promise<boolean> | undefined;
  #inlineHeight: number | undefined;

  constructor(appHost: (options: AppHostOptions) => HostedView, wish: AppWish) {
    const { sample, ...held } = wish;
    this.view = appHost({
      ...held,
      tellsListChanges: true,
      teardownMs,
      ...(sample !== undefined && {
        sample: async (params, signal) => {
          await this.#letSample(signal);
          return sample(params, signal);
        },
        sampleTools: true,
      }),
      approve: (page) => this.#read(page),
      openLink: (url) =>
        this.#asked({ wants: 'wants to open a page', detail: url.href, verb: 'Open' }, () => {
          window.open(url.href, '_blank', 'noopener,noreferrer');
        }),
      download: (files) =>
        this.#asked(
          { wants: 'wants to save files', detail: files.map(({ name }) => name).join('\n'), verb: 'Save' },
          () => saveFiles(files, wish.server),
        ),
      message: (content) =>
        this.#asked({
          wants: 'wants to say this for you',
          detail: content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n'),
          verb: 'Accept',
        }),
      modelContext: (context) => (this.modelContext.value = context),
      displayMode: (mode) => (this.mode.value = mode),
      onSize: ({ height }) => {
        if (this.mode.value === 'inline') this.#inlineHeight = height ?? this.#inlineHeight;
      },
      onMessage: (message) => this.#heard(message),
      onLog: ({ level, logger, data }) => {
        this.#logged += 1;
        const text = (typeof data === 'string' ? data : (JSON.stringify(data) ?? '')).slice(0, longestLog);
        keepLast(this.#heardLogs, { n: this.#logged, level, ...(logger !== undefined && { logger }), text }, mostLogs);
        this.#publishSoon();
      },
      onReport: (report) => this.#reported(report),
      onProblem: ({ message }) => this.#found({ what: message, detail: '', isError: true }),
      onClosed: () => this.#gone(),
    });
    this.view.ready.then(
      () => (this.state.value = 'shown'),
      () => this.#gone(),
    );
  }

  /** Displays the view in another way, where it can be. */
  display(mode: DisplayMode): void {
    try {
      this.view.setDisplayMode(mode);
      this.mode.value = mode;
    } catch (error) {
      this.#found({ what: (error as Error).message, detail: '', isError: false });
    }
  }

  /** Gives the frame the height back that it had in the page: a view says how large it is only when that changes. */
  fitInline(): void {
    if (this.#inlineHeight !== undefined)
      this.view.changeContext({ containerDimensions: { height: this.#inlineHeight } });
  }

  /** Says something of it that is worth knowing. */
  note(what: string, detail: string): void {
    this.#found({ what, detail, isError: false });
  }

  #read(page: AppPage): boolean {
    this.page.value = page;
    for (const entry of page.refused) {
      const advice = 'An origin, such as https://example.com';
      this.#found({ what: 'no origin, so it was left out of the policy', detail: entry, advice, isError: false });
    }
    return true;
  }

  /** A person lets a view ask for answers of a model, once for as long as it is shown. */
  async #letSample(signal: AbortSignal): Promise<void> {
    const wants = 'wants to ask for answers of a model';
    this.#maySample ??= this.#asked({ wants, detail: 'Each is shown to you before it is answered.', verb: 'Let it' });
    const isLet = await this.#maySample;
    signal.throwIfAborted();
    if (isLet) return;
    this.#maySample = undefined;
    throw Object.assign(new Error('The person does not want that'), { code: refusedByPerson });
  }

  #asked(wish: Omit<Wish, 'answer'>, allowed?: () => unknown): Promise<boolean> {
    return new Promise((resolve) => {
      const asked: Wish = {
        ...wish,
        answer: (isAllowed) => {
          this.wishes.value = this.wishes.value.filter((each) => each !== asked);
          if (isAllowed) allowed?.();
          resolve(isAllowed);
        },
      };
      this.wishes.value = [...this.wishes.value, asked];
    });
  }

  #heard(message: AppMessage): void {
    this.#passed += 1;
    const passed = { ...message, n: this.#passed, at: performance.timeOrigin + performance.now() };
    keepLast(this.#heardMessages, passed, mostMessages);
    this.#publishSoon();
  }

  #publishSoon(): void {
    this.#publishing ??= setTimeout(() => this.#publish(), publishMs);
  }

  #publish(): void {
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    batch(() => {
      this.messages.value = [...this.#heardMessages];
      this.logs.value = [...this.#heardLogs];
      this.findings.value = this.#heardFindings;
    });
  }

  #reported(report: SandboxReport): void {
    if (report.kind === 'policy') {
      const { directive, blocked, advice } = report;
      return this.#found({ what: `${directive} stopped`, detail: blocked, advice, isError: false });
    }
    if (report.kind === 'error') {
      return this.#found({ what: report.message, detail: `line ${report.line}`, isError: true });
    }
    if (report.kind === 'refused') return this.#found({ what: 'refused', detail: report.what, isError: true });
    this.#found({ what: `${report.dropped} messages were too many`, detail: '', isError: true });
  }

  #found(found: Omit<Finding, 'times'>): void {
    const before = this.#heardFindings;
    const same = before.find(({ what, detail }) => what === found.what && detail === found.detail);
    this.#heardFindings =
      same === undefined
        ? [...before, { ...found, times: 1 }].slice(-mostFindings)
        : before.map((each) => (each === same ? { ...same, times: same.times + 1 } : each));
    this.#publishSoon();
  }

  #gone(): void {
    this.#publish();
    this.state.value = 'gone';
    this.mode.value = 'inline';
    for (const wish of this.wishes.value) wish.answer(false);
  }
}

/** Adds an entry and drops the oldest of too many. */
function keepLast<T>(entries: T[], entry: T, most: number): void {
  entries.push(entry);
  if (entries.length > most) entries.shift();
}
