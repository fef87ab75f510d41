import type { ToolFeatures } from '../../server/define/feature-options.ts';
import type { BeforeTool } from '../../server/define/tool-entry.ts';
import { servingLoader } from '../load-serving.ts';
import type { FeatureServing } from '../serving.ts';
import { rateSpec } from './rate-spec.ts';

/** Counts the calls of a tool that has its own rate limit. */
export function toolRateLimit(
  { name, rateLimit }: Pick<ToolFeatures<[]>, 'rateLimit'> & { readonly name: string },
  server: string,
): BeforeTool | undefined {
  const spec = rateSpec(rateLimit, { name: 'tool', key: `${server}/${name}` });
  if (spec === undefined) return undefined;
  let count: BeforeTool | undefined;
  return (peer) => {
    // The serving modules are loaded by now: a call is being served.
    count ??= (servingLoader.loaded as FeatureServing).countToolCalls(spec, name);
    return count(peer);
  };
}
