export { openApi } from './open-api.ts';
export type {
  CallerCredentials,
  Credential,
  Credentials,
  OfferedOperation,
  OpenApiOptions,
  OpenApiServer,
  OperationFilter,
  SkippedOperation,
} from './options.ts';
