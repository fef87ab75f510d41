import type { Params } from '../../../jsonrpc/message.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import type { DisplayMode, HostContext, ModelContext } from './options.ts';
import type { AppPage } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';

/** How far a view has come. */
export type HostedViewState = 'loading' | 'starting' | 'ready' | 'closed';

/** A view that is shown. */
export interface HostedView {
  readonly state: HostedViewState;
  /** Fulfilled when the view listens; rejected with an `AppError` where it never will. */
  readonly ready: Promise<void>;
  /** Fulfilled when the view is gone. */
  readonly closed: Promise<void>;
  /** The document, once it is read. */
  readonly page: AppPage | undefined;
  /** Who the view says it is: for display, never for decisions. */
  readonly appInfo: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly context: Readonly<HostContext>;
  /** What the view last wanted the model to know. */
  readonly modelContext: ModelContext | undefined;
  /** What was reported so far: errors of scripts, and what the policy stopped. */
  readonly reports: readonly SandboxReport[];
  /** The input as far as the model has written it. */
  toolInputPartial(args: Params): void;
  /** The whole input, once. */
  toolInput(args: Params): void;
  /** What the tool gave. */
  toolResult(result: object): void;
  toolCancelled(reason?: string): void;
  /** Tells the view what is different about its place. */
  changeContext(changes: HostContext): void;
  /** Tells the view that it is displayed in another way. One that it does not list is a `TypeError`. */
  setDisplayMode(mode: DisplayMode): void;
  /** Tells the view that a list of its server has changed. */
  listChanged(list: 'tools' | 'resources' | 'prompts'): void;
  /** The tools that the view itself offers. */
  listTools(): Promise<ToolListing[]>;
  /** Calls a tool that the view itself offers. */
  callTool(name: string, args?: Params): Promise<Record<string, unknown>>;
  ping(): Promise<void>;
  /** Sends any message, as it is: for trying things out. */
  send(message: unknown): void;
  /** Takes any message as if the view had sent it: for trying things out. */
  receive(message: unknown): void;
  /** Asks the view to end, waits a little, and removes it. */
  close(reason?: string): Promise<void>;
  /** Removes the view at once, whatever it does. */
  kill(): void;
}
