/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses server-sent events from chunks. */
export class EventStreamParser {
  #rest = '';
  #event = 'message';
  #id: string | undefined;
  #data: string[] = [];

  push(text: string): StreamEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): StreamEvent | undefined {
    if (line === '') {
      const whole = { event: this.#event, id: this.#id, data: this.#data.join('\n') };
      const isEmpty = this.#data.length === 0;
      this.#event = 'message';
      this.#data = [];
      return isEmpty ? undefined : whole;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id') this.#id = value;
    return undefined;
  }
}
