import { isRecord, type Json } from '../form/json.ts';

/** A result in which texts that are JSON are what they say: many tools write JSON into their texts, and many resources are JSON. */
export function withReadTexts(result: Json): Json {
  if (!isRecord(result)) return result;
  const { content, contents } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: (content as readonly Json[]).map(withReadText) }),
    ...(Array.isArray(contents) && { contents: (contents as readonly Json[]).map(withReadText) }),
  };
}

function withReadText(each: Json): Json {
  if (!isRecord(each) || typeof each.text !== 'string' || !/^\s*[[{]/.test(each.text)) return each;
  try {
    return { ...each, text: JSON.parse(each.text) as Json };
  } catch {
    return each;
  }
}
