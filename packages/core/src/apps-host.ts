export { AppError, type AppProblem } from './extensions/apps/host/app-error.ts';
export { appHost } from './extensions/apps/host/app-host.ts';
export type { AppServer } from './extensions/apps/host/app-server.ts';
export type { HostedView, HostedViewState } from './extensions/apps/host/hosted-view.ts';
export type { AppContainer } from './extensions/apps/host/dom.ts';
export type { ViewSize } from './extensions/apps/host/auto-resizer.ts';
export type {
  AppEvents,
  AppHostOptions,
  AppMessage,
  AppRequests,
  DisplayMode,
  DownloadedFile,
  HostContext,
  ModelContext,
  Verdict,
  ViewLog,
} from './extensions/apps/host/options.ts';
export { type AppPage, readAppPage } from './extensions/apps/host/read-page.ts';
export type { PolicyViolation, SandboxReport, ViewError } from './extensions/apps/host/sandbox-report.ts';
export { isForModel } from './extensions/apps/host/server-proxy.ts';
