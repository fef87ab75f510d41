import { appendChunk, emptyBuffer } from './bytes.ts';
import { contentLengthFraming } from './content-length.ts';
import type { Framing } from './framing.ts';
import { newlineFraming } from './newline.ts';

/** The framing of a stream; `auto` detects it from the first bytes the peer sends. */
export type FramingName = 'auto' | 'newline' | 'content-length';

const framings = {
  auto: autoFraming,
  newline: newlineFraming,
  'content-length': contentLengthFraming,
};

/** Creates a framing for messages of at most `maxMessage` bytes. */
export function createFraming(name: FramingName, maxMessage: number): Framing {
  return framings[name](maxMessage);
}

function autoFraming(maxMessage: number): Framing {
  let head = emptyBuffer();

  /** From then on this framing is the detected one. */
  function choose(name: 'newline' | 'content-length'): Framing {
    const chosen = createFraming(name, maxMessage);
    framing.push = chosen.push.bind(chosen);
    framing.end = chosen.end.bind(chosen);
    framing.next = chosen.next.bind(chosen);
    framing.frame = chosen.frame.bind(chosen);
    framing.push(head);
    head = emptyBuffer();
    return framing;
  }

  const framing: Framing = {
    push(chunk) {
      head = appendChunk(head, 0, chunk);
      head = head.subarray(leadingBlankLength(head));
      const name = detect(head);
      if (name !== undefined) choose(name);
    },
    end() {
      choose('newline').end();
    },
    next: () => undefined,
    frame: (text) => `${text}\n`,
  };
  return framing;
}

const BYTE_ORDER_MARK = '\xEF\xBB\xBF';

/** The length of the byte order mark and whitespace before the first message. */
function leadingBlankLength(head: Buffer): number {
  const text = head.toString('latin1');
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const visible = text.slice(mark).search(/[^ \t\r\n]/);
  return visible === -1 ? text.length : mark + visible;
}

/** Detects the framing from the first bytes; undefined while they fit both. */
function detect(head: Buffer): 'newline' | 'content-length' | undefined {
  const start = head.toString('latin1', 0, 8).toLowerCase();
  if (start === 'content-') return 'content-length';
  return 'content-'.startsWith(start) || BYTE_ORDER_MARK.startsWith(start) ? undefined : 'newline';
}
