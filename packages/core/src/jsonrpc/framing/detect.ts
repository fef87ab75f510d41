import { appendChunk, emptyBuffer } from './bytes.ts';
import { contentLengthFraming } from './content-length.ts';
import type { Framing } from './framing.ts';
import { newlineFraming } from './newline.ts';

/** Which framing a stream has; `auto` goes by the first bytes that the other side sends. */
export type FramingName = 'auto' | 'newline' | 'content-length';

const framings = {
  auto: autoFraming,
  newline: newlineFraming,
  'content-length': contentLengthFraming,
};

/** Makes the framing of that name, for messages of at most `maxMessage` bytes. */
export function createFraming(name: FramingName, maxMessage: number): Framing {
  return framings[name](maxMessage);
}

function autoFraming(maxMessage: number): Framing {
  let chosen: Framing | undefined;
  let head = emptyBuffer();

  function choose(name: 'newline' | 'content-length'): Framing {
    const framing = createFraming(name, maxMessage);
    framing.push(head);
    head = emptyBuffer();
    return framing;
  }

  return {
    push(chunk) {
      if (chosen !== undefined) return chosen.push(chunk);
      head = appendChunk(head, 0, chunk);
      head = head.subarray(leadingBlankLength(head));
      const name = detect(head);
      if (name !== undefined) chosen = choose(name);
    },
    end() {
      chosen ??= choose('newline');
      chosen.end();
    },
    next: () => chosen?.next(),
    frame: (text) => (chosen === undefined ? `${text}\n` : chosen.frame(text)),
  };
}

const BYTE_ORDER_MARK = '\xEF\xBB\xBF';

/** How much of the head is a byte order mark and blanks, which say nothing. */
function leadingBlankLength(head: Buffer): number {
  const text = head.toString('latin1');
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const visible = text.slice(mark).search(/[^ \t\r\n]/);
  return visible === -1 ? text.length : mark + visible;
}

/** Says which framing begins with these bytes, or undefined while they could be either. */
function detect(head: Buffer): 'newline' | 'content-length' | undefined {
  const start = head.toString('latin1', 0, 8).toLowerCase();
  if (start === 'content-') return 'content-length';
  return 'content-'.startsWith(start) || BYTE_ORDER_MARK.startsWith(start) ? undefined : 'newline';
}
