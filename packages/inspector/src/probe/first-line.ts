/** Takes a text piece by piece until its first line that is not blank is there, or has become too long. */
export class FirstLine {
  /** That line, or the beginning of one that is too long. What comes after it is not kept. */
  line: string | undefined;
  readonly #most: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(text: string): void {
    let rest = text;
    while (this.line === undefined && rest !== '') {
      const end = rest.indexOf('\n');
      this.#take(end === -1 ? rest : rest.slice(0, end));
      if (end === -1) return;
      this.#end();
      rest = rest.slice(end + 1);
    }
  }

  #take(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > this.#most) this.#end();
  }

  #end(): void {
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    if (line.trim() !== '') this.line ??= line;
  }
}
