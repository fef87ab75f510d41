/** The id of the extension: MCP Apps. */
export const appsId = 'io.modelcontextprotocol/ui';

/** What a view is, in `mimeType` of its resource and in the settings of hosts that show views. */
export const viewMimeType = 'text/html;profile=mcp-app';

/** How the address of every view begins. */
export const viewScheme = 'ui://';

/** The member of a tool's `_meta` by which hosts of earlier texts find its view. */
export const formerViewKey = 'ui/resourceUri';
