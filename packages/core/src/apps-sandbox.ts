/// <reference types="node" preserve="true" />

export { type AppSandbox, type AppSandboxOptions, appSandbox } from './extensions/apps/sandbox/sandbox.ts';
export {
  type ServeAppSandboxOptions,
  type ServedAppSandbox,
  serveAppSandbox,
} from './extensions/apps/sandbox/serve-sandbox.ts';
