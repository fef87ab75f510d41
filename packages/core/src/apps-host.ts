export { AppError, type AppProblem } from './features/apps/host/app-error.ts';
export { appHost } from './features/apps/host/view-controller.ts';
export type { AppContainer } from './features/apps/host/dom.ts';
export type { ViewSize } from './features/apps/host/auto-resizer.ts';
export type {
  AppEvents,
  AppHostOptions,
  AppMessage,
  AppRequests,
  DisplayMode,
  DownloadedFile,
  HostContext,
  HostedView,
  HostedViewState,
  ModelContext,
  Verdict,
  ViewLog,
} from './features/apps/host/options.ts';
export { type AppPage, type AppServer, readAppPage } from './features/apps/host/read-page.ts';
export type { PolicyViolation, SandboxReport, ViewError } from './features/apps/host/sandbox-report.ts';
export { isForModel } from './features/apps/host/server-proxy.ts';
