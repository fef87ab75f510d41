export { type ComposedServer, type ComposeOptions, compose, type Part, type Parts } from './compose-servers.ts';
