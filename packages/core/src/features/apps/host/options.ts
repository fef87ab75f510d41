import type { Params, RequestId } from '../../../jsonrpc/message.ts';
import type { ContentBlock, EmbeddedResource, ResourceLink } from '../../../protocol/content.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import type { LogLevel } from '../../../protocol/logging.ts';
import type { ViewPermission } from '../sandbox-settings.ts';
import type { AppError } from './app-error.ts';
import type { ViewSize } from './auto-resizer.ts';
import type { AppContainer } from './dom.ts';
import type { AppPage, AppServer, PageRow } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';

/** How a view is displayed. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** The host context of a view. Later versions may add members. */
export interface HostContext {
  toolInfo?: { id?: RequestId; tool: ToolListing };
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string>; css?: { fonts?: string } };
  displayMode?: DisplayMode;
  availableDisplayModes?: readonly DisplayMode[];
  containerDimensions?: { height?: number; maxHeight?: number; width?: number; maxWidth?: number };
  locale?: string;
  timeZone?: string;
  userAgent?: string;
  platform?: 'web' | 'desktop' | 'mobile';
  deviceCapabilities?: { touch?: boolean; hover?: boolean };
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
  [more: string]: unknown;
}

/** Context that a view adds for the model; each update replaces the last. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** A file that a view wants downloaded, with a safe name. */
export interface DownloadedFile {
  readonly name: string;
  readonly content: EmbeddedResource | ResourceLink;
}

/** A log line of a view. */
export interface ViewLog {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** A message between host and view. */
export interface AppMessage {
  readonly from: 'host' | 'view';
  readonly message: unknown;
  /** Why it was rejected. */
  readonly rejected?: string;
}

/** The decision of a person or the host: false declines. */
export type Verdict = boolean | Promise<boolean>;

/** Handlers for requests of a view. A method without a handler is not offered. */
export interface AppRequests {
  /** Opens a link, `http:` or `https:`. Ask the person, and open it without an opener. */
  openLink?(url: URL): Verdict;
  /** Downloads files. Ask the person. */
  download?(files: readonly DownloadedFile[]): Verdict;
  /** Adds a user message to the conversation. Show it to the person. */
  message?(content: readonly ContentBlock[]): Verdict;
  /** Sets what the model learns with the next message; only the last call counts. */
  modelContext?(context: ModelContext): void;
  /** Changes the display mode; returns the resulting mode. */
  displayMode?(mode: DisplayMode): DisplayMode | Promise<DisplayMode>;
  /** Lets the host's model generate something. Ask the person. */
  sample?(params: Params, signal: AbortSignal): Promise<object>;
  /** Whether sampling may include tools. */
  sampleTools?: boolean;
  /** Called when the view wants to be closed. Default: it is closed. */
  closing?(): void;
}

/** Events of a view. */
export interface AppEvents {
  /** Called when the page was read. A page that is not approved is not shown. */
  approve?(page: AppPage): Verdict;
  onMessage?(message: AppMessage): void;
  /** Called for policy violations and script errors. */
  onReport?(report: SandboxReport): void;
  /** Called for problems, worded for the view's author. */
  onProblem?(error: AppError): void;
  onLog?(log: ViewLog): void;
  /** Called when the frame was resized. */
  onSize?(size: ViewSize): void;
  /** Called when the tools of the view changed. */
  onToolsChanged?(): void;
  onClosed?(): void;
}

/** Options of `appHost`. */
export interface AppHostOptions extends AppRequests, AppEvents {
  /** The element that gets the frame. */
  container: AppContainer;
  /** Where sandboxes are served: `url` of `serveAppSandbox`. `*` is replaced by a name for each view. */
  sandboxUrl: string;
  server: AppServer;
  /** The tool whose view is shown, as listed. */
  tool?: ToolListing;
  /** The id of the call whose result is shown. */
  callId?: RequestId;
  /** The URI of the view. Default: that of `tool`. */
  resourceUri?: string;
  /** The tools of the server, if known already. */
  tools?(): readonly ToolListing[] | Promise<readonly ToolListing[]>;
  /** The resources of the server, if known already. */
  resources?(): readonly PageRow[] | Promise<readonly PageRow[]>;
  /** Whether `listChanged` will be called when lists of the server change. */
  tellsListChanges?: boolean;
  hostInfo?: Implementation;
  context?: HostContext;
  /**
   * `own`: the view has its own origin and storage. `opaque`: it has neither. Default: `own` if `sandboxUrl` has a `*`.
   */
  origin?: 'own' | 'opaque';
  /** Views with the same partition share storage, now and later. Default: a new one. */
  partition?: string;
  /** Allows `eval`, and loading `blob:` and `data:`. */
  relaxed?: boolean;
  /** The permissions granted on request. Default: none. */
  permissions?: readonly ViewPermission[];
  /** How many messages of the view are accepted per second. Default: 200. */
  messagesPerSecond?: number;
  /** Timeout for `ui/initialize`. Default: 10 s. */
  initializeMs?: number;
  /** After how much silence the view is pinged, and the timeout of the ping. Default: 10 s. */
  silenceMs?: number;
  /** Timeout for the view's shutdown. Default: 2 s. */
  teardownMs?: number;
}

/** The lifecycle state of a view. */
export type HostedViewState = 'loading' | 'starting' | 'ready' | 'closed';

/** A view that is shown. */
export interface HostedView {
  readonly state: HostedViewState;
  /** Resolves when the view is initialized; rejects with an `AppError` if it never will be. */
  readonly ready: Promise<void>;
  /** Resolves when the view is closed. */
  readonly closed: Promise<void>;
  /** The document, once it is read. */
  readonly page: AppPage | undefined;
  /** The name and version of the view: for display, never for decisions. */
  readonly appInfo: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly context: Readonly<HostContext>;
  /** The last context that the view set for the model. */
  readonly modelContext: ModelContext | undefined;
  /** Reports so far: script errors and policy violations. */
  readonly reports: readonly SandboxReport[];
  /** Partial input, as far as the model has written it. */
  toolInputPartial(args: Params): void;
  /** The complete input, once. */
  toolInput(args: Params): void;
  /** The result of the tool. */
  toolResult(result: object): void;
  toolCancelled(reason?: string): void;
  /** Notifies the view of a changed context. */
  changeContext(changes: HostContext): void;
  /** Notifies the view of a new display mode. Throws a `TypeError` for one it does not support. */
  setDisplayMode(mode: DisplayMode): void;
  /** Notifies the view of a changed list of its server. */
  listChanged(list: 'tools' | 'resources' | 'prompts'): void;
  /** The tools that the view offers. */
  listTools(): Promise<ToolListing[]>;
  /** Calls a tool that the view offers. */
  callTool(name: string, args?: Params): Promise<Record<string, unknown>>;
  ping(): Promise<void>;
  /** Sends any message unchanged: for experiments. */
  send(message: unknown): void;
  /** Handles any message as if the view had sent it: for experiments. */
  receive(message: unknown): void;
  /** Asks the view to shut down, waits briefly, and removes it. */
  close(reason?: string): Promise<void>;
  /** Removes the view without asking it to shut down. */
  kill(): void;
}
