/// <reference types="node" preserve="true" />

export { appsClient } from './extensions/apps/client.ts';
export type { ToolUiMeta, ViewCsp, ViewMeta, ViewPermissions, Visibility } from './extensions/apps/view-meta.ts';
export { type AppView, type AppViewOptions, appView } from './extensions/apps/server/app-view.ts';
export { apps } from './extensions/apps/server/apps.ts';
export type { DocumentSource } from './extensions/apps/server/view-document.ts';
