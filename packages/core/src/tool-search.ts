export {
  createToolIndex,
  type IndexedTool,
  type ToolHit,
  type ToolIndex,
} from './features/tool-search/tool-index.ts';
export {
  hasToolSearch,
  searchToolListings,
  toolSearch,
  type ToolSearchOptions,
} from './features/tool-search/tool-search.ts';
