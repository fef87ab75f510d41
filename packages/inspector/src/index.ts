/// <reference types="node" preserve="true" />

export { type Inspector, type InspectorOptions, inspector } from './server/inspector.ts';
export type { ModelOptions } from './server/model/settings.ts';
export { mountedInspector } from './server/serve.ts';
export type { PageSettingsStore, PageSettings } from './shared/page-settings.ts';
export { type InspectorService, type ServeInspectorOptions, serveInspector } from './server/serve.ts';
export type { OfferedTarget, Target } from './server/targets.ts';
