/** The id of the extension: MCP Apps. */
export const appsId = 'io.modelcontextprotocol/ui';

/** The MIME type of views, in resources and in the settings of hosts. */
export const viewMimeType = 'text/html;profile=mcp-app';

/** The URI scheme of views. */
export const viewScheme = 'ui://';

/** The `_meta` key of a tool's view in earlier versions of the specification. */
export const legacyViewKey = 'ui/resourceUri';
