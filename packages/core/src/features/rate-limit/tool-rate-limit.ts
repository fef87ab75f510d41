import type { ToolFeatures } from '../../server/define/feature-options.ts';
import type { BeforeTool } from '../../server/define/tool-entry.ts';
import { servingLoader } from '../load-serving.ts';
import type { FeatureServing } from '../serving.ts';
import { rateSpec } from './rate-spec.ts';

/** Counts the calls of a tool that has a limit of its own. */
export function toolRateLimit(
  { name, rateLimit }: Pick<ToolFeatures<[]>, 'rateLimit'> & { readonly name: string },
  server: string,
): BeforeTool | undefined {
  const spec = rateSpec(rateLimit, { name: 'tool', key: `${server}/${name}` });
  if (spec === undefined) return undefined;
  let count: BeforeTool | undefined;
  return (peer) => {
    // A call is served, so what serves calls is loaded.
    count ??= (servingLoader.loaded as FeatureServing).countToolCalls(spec, name);
    return count(peer);
  };
}
