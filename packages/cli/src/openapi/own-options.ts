import type { Options, Values } from '../command/options.ts';

/** The options of `ccmcp openapi` beside those of serving. */
export const ownOptions = {
  include: {
    value: 'FILTER',
    about: `offer only operations that match; may be repeated. FILTER is tag:NAME, path:PATTERN, method:NAME,
id:PATTERN or marked, or several with commas, which must all match; * stands for any text`,
    multiple: true,
  },
  exclude: { value: 'FILTER', about: 'leave out the operations that match; may be repeated', multiple: true },
  auth: {
    value: 'SCHEME=VALUE',
    about: `the credential for a security scheme of the document: '\${VARIABLE}', '\${file:PATH}' or
'\${keychain:NAME}'; for the scheme basic NAME:PASSWORD; may be repeated`,
    multiple: true,
  },
  header: {
    value: "'NAME: VALUE'",
    about: "send a header with each request; VALUE may have '${VARIABLE}'; may be repeated",
    multiple: true,
  },
  'base-url': { value: 'URL', about: 'the URL of the API, in place of those in the document' },
  variable: { value: 'NAME=VALUE', about: 'a variable in the URLs of the document; may be repeated', multiple: true },
  references: {
    value: 'PATH',
    about: 'read other documents that this one refers to, in this folder or below this URL; may be repeated',
    completes: 'folders',
    multiple: true,
  },
  'private-addresses': { about: 'allow requests to private networks and this machine, if the document names them' },
  groups: { about: 'group the tools by tag, for clients with the draft extension of groups' },
} as const satisfies Options;

/** Their values. */
export type OwnValues = Values<typeof ownOptions>;
