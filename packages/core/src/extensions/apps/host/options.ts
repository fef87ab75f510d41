import type { Params, RequestId } from '../../../jsonrpc/message.ts';
import type { ContentBlock, EmbeddedResource, ResourceLink } from '../../../protocol/content.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import type { LogLevel } from '../../../protocol/logging.ts';
import type { ViewPermission } from '../sandbox-settings.ts';
import type { AppError } from './app-error.ts';
import type { AppServer } from './app-server.ts';
import type { AppContainer } from './dom.ts';
import type { ViewSize } from './auto-resizer.ts';
import type { AppPage, PageRow } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';

/** How a view is displayed. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** What a view knows of the place where it is shown. More may stand here than is known today. */
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

/** What a view wants the model to know from now on; each replaces the last. */
export interface ModelContext {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** A file that a view wants downloaded, under a name that is safe to use. */
export interface DownloadedFile {
  readonly name: string;
  readonly content: EmbeddedResource | ResourceLink;
}

/** A line that a view logs. */
export interface ViewLog {
  readonly level: LogLevel;
  readonly data: unknown;
  readonly logger?: string;
}

/** A message that went between host and view. */
export interface AppMessage {
  readonly from: 'host' | 'view';
  readonly message: unknown;
  /** Why it was not taken. */
  readonly refused?: string;
}

/** An answer that a person or the host gives: false for no. */
export type Verdict = boolean | Promise<boolean>;

/** What a view may ask its host for. What is not given is not offered, and refused where it is asked for. */
export interface AppRequests {
  /** Opens a link. The address is `http:` or `https:`; ask the person, and open it without an opener. */
  openLink?(url: URL): Verdict;
  /** Downloads files. Ask the person. */
  download?(files: readonly DownloadedFile[]): Verdict;
  /** Puts a message of the user into the conversation. Show it to the person. */
  message?(content: readonly ContentBlock[]): Verdict;
  /** What the model is to know with the next message; only the last counts. */
  modelContext?(context: ModelContext): void;
  /** Changes how the view is displayed; gives the mode that it has then. */
  displayMode?(mode: DisplayMode): DisplayMode | Promise<DisplayMode>;
  /** Lets the model of the host write something. Ask the person. */
  sample?(params: Params, signal: AbortSignal): Promise<object>;
  /** Whether the model may be given tools with that. */
  sampleTools?: boolean;
  /** The view wants to be closed. Where this is not given, it is. */
  closing?(): void;
}

/** What a host hears of a view. */
export interface AppEvents {
  /** The page has been read. What is not approved is not shown. */
  approve?(page: AppPage): Verdict;
  onMessage?(message: AppMessage): void;
  /** What the policy stopped, and what failed in scripts. */
  onReport?(report: SandboxReport): void;
  /** What is wrong, in words for whoever wrote the view. */
  onProblem?(error: AppError): void;
  onLog?(log: ViewLog): void;
  /** The frame has been given this size. */
  onSize?(size: ViewSize): void;
  /** The view offers other tools than before. */
  onToolsChanged?(): void;
  onClosed?(): void;
}

/** How a view is shown. */
export interface AppHostOptions extends AppRequests, AppEvents {
  /** The element that the frame is put into. */
  container: AppContainer;
  /** Where sandboxes are served: `url` of `serveAppSandbox`. `*` in it stands for a name that each view has for itself. */
  sandboxUrl: string;
  server: AppServer;
  /** The tool whose view is shown, as the list of tools has it. */
  tool?: ToolListing;
  /** The id of the call whose result is shown. */
  callId?: RequestId;
  /** The address of the view, where it is not that of `tool`. */
  resourceUri?: string;
  /** The tools of the server, where they are known already. */
  tools?(): readonly ToolListing[] | Promise<readonly ToolListing[]>;
  /** The resources of the server, where they are known already. */
  resources?(): readonly PageRow[] | Promise<readonly PageRow[]>;
  /** Whether `listChanged` will be called when the lists of the server change. */
  tellsListChanges?: boolean;
  hostInfo?: Implementation;
  context?: HostContext;
  /** `own`: the view has an origin and storage of its own. `opaque`: it has neither. Default: `own` where `sandboxUrl` has a `*`. */
  origin?: 'own' | 'opaque';
  /** Views with the same partition share their storage, now and later. Default: one of its own, for once. */
  partition?: string;
  /** Lets the view make scripts from texts, and load `blob:` and `data:`. */
  relaxed?: boolean;
  /** What the host grants where a view asks for it. Default: nothing. */
  permissions?: readonly ViewPermission[];
  /** How many messages of the view are taken in a second. Default: 200. */
  messagesPerSecond?: number;
  /** How long the view may take to send `ui/initialize`. Default: 10 s. */
  initializeMs?: number;
  /** After how much silence the view is pinged, and how long it may take to answer. Default: 10 s. */
  silenceMs?: number;
  /** How long the view may take to end. Default: 2 s. */
  teardownMs?: number;
}
