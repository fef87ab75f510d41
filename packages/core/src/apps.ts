/// <reference types="node" preserve="true" />

export { appsClient } from './features/apps/client.ts';
export type { ToolUiMeta, ViewCsp, ViewMeta, ViewPermissions, Visibility } from './features/apps/view-meta.ts';
export { type AppView, type AppViewOptions, appView } from './features/apps/server/app-view.ts';
export { apps } from './features/apps/server/apps.ts';
export type { DocumentSource } from './features/apps/server/view-document.ts';
