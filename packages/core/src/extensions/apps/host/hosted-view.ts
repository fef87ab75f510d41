import type { Params } from '../../../jsonrpc/message.ts';
import type { Implementation } from '../../../protocol/identity.ts';
import type { ToolListing } from '../../../protocol/listing.ts';
import type { DisplayMode, HostContext, ModelContext } from './options.ts';
import type { AppPage } from './read-page.ts';
import type { SandboxReport } from './sandbox-report.ts';

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
  /** Sends any message as it is: for experiments. */
  send(message: unknown): void;
  /** Handles any message as if the view had sent it: for experiments. */
  receive(message: unknown): void;
  /** Asks the view to shut down, waits briefly, and removes it. */
  close(reason?: string): Promise<void>;
  /** Removes the view at once. */
  kill(): void;
}
