/** A server-sent event. `data` is absent if it only has an id or a delay. */
export interface StreamEvent {
  event: string;
  data?: string;
  /** The id for resuming after this event. */
  id?: string;
  /** The delay before reconnecting, in milliseconds. */
  retryMs?: number;
}

/** Parses a stream of events. An incomplete last event is dropped. */
export async function* parseEvents(
  body: AsyncIterable<Uint8Array>,
  maxEvent: number,
): AsyncGenerator<StreamEvent, void, undefined> {
  const decoder = new TextDecoder();
  const parser = createParser();
  /** The beginning of a line, in chunks. */
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    length += text.length;
    if (length > maxEvent) throw new Error(`An event of the stream is longer than ${maxEvent} characters`);
    if (!/[\r\n]/.test(text) && pieces.at(-1)?.endsWith('\r') !== true) {
      pieces.push(text);
      continue;
    }
    // A CR at the end may be half of a line break.
    const lines = [...pieces, text].join('').split(/\r\n|\n|\r(?!$)/);
    pieces = [lines.pop() as string];
    for (const line of lines) {
      if (line === '') length = text.length;
      const event = parser(line);
      if (event !== undefined) yield event;
    }
  }
}

/** Takes lines; returns an event at each blank one. */
function createParser(): (line: string) => StreamEvent | undefined {
  let data: string[] = [];
  let event: StreamEvent = { event: 'message' };
  let isEmpty = true;

  return (line) => {
    if (line === '') {
      const complete = data.length === 0 || (data.length === 1 && data[0] === '') ? event : withData(event, data);
      const wasEmpty = isEmpty;
      data = [];
      event = { event: 'message' };
      isEmpty = true;
      return wasEmpty ? undefined : complete;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event.event = value;
    else if (field === 'id' && !value.includes('\0')) event.id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) event.retryMs = Number(value);
    else return undefined;
    isEmpty = false;
    return undefined;
  };
}

function withData(event: StreamEvent, data: readonly string[]): StreamEvent {
  return { ...event, data: data.join('\n') };
}
