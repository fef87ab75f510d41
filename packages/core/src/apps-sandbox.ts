/// <reference types="node" preserve="true" />

export { type AppSandbox, type AppSandboxOptions, appSandbox } from './features/apps/sandbox/sandbox.ts';
export {
  type ServeAppSandboxOptions,
  type ServedAppSandbox,
  serveAppSandbox,
} from './features/apps/sandbox/serve-sandbox.ts';
