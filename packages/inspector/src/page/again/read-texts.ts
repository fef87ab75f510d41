import { isRecord, type Json } from '../form/json.ts';

/** A result in which texts that are JSON are what they say: many tools write JSON into their texts. */
export function withReadTexts(result: Json): Json {
  if (!isRecord(result) || !Array.isArray(result.content)) return result;
  const content = (result.content as readonly Json[]).map((each) => {
    if (!isRecord(each) || typeof each.text !== 'string' || !/^\s*[[{]/.test(each.text)) return each;
    try {
      return { ...each, text: JSON.parse(each.text) as Json };
    } catch {
      return each;
    }
  });
  return { ...result, content };
}
