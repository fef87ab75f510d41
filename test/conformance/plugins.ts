import { adaptToClient } from '@ccmcp/core/client-quirks';
import { coerceArguments } from '@ccmcp/core/coerce-arguments';
import { groups } from '@ccmcp/core/groups';
import { serveHttp } from '@ccmcp/core/http';
import { resultBudget } from '@ccmcp/core/result-budget';
import { toolSearch } from '@ccmcp/core/tool-search';
import { fixtureServer } from './server.ts';

/** Tools that the suites read in the list; all others they call without reading it. */
const always = ['json_schema_2020_12_tool', 'test_x_mcp_header'];

// Everything that shortens lists and results, each as strict as it can be.
const server = fixtureServer([groups([{ name: 'all', description: 'All there is', tools: ['*'], prompts: ['*'] }])])
  .use(adaptToClient())
  .use(toolSearch({ above: 0, always }))
  .use(resultBudget({ tokens: 500, bytes: 2000 }))
  .use(coerceArguments());
const { url } = await serveHttp(server, { port: 0 });
console.log(url);
