/** The values of one subject in one round. */
export interface Sample {
  readonly measure: string;
  readonly subject: string;
  readonly round: number;
  readonly values: Readonly<Record<string, number>>;
}

/** The median and the quartiles of all rounds. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** A quantile, without NaN. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** Summarizes several rounds. */
export function figureOf(values: readonly number[]): Figure {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** All samples of a run. */
export class Samples {
  readonly #samples: Sample[] = [];

  add(sample: Sample): void {
    this.#samples.push(sample);
  }

  /** The figure of one subject, if it took part. */
  figure(measure: string, subject: string, metric: string): Figure | undefined {
    const values = [...this.#rounds(measure, subject, metric).values()];
    return values.length === 0 ? undefined : figureOf(values);
  }

  /** The ratio of two subjects, round by round, so that a slow moment affects both. */
  ratio(
    measure: string,
    subject: string,
    metric: string,
    base: { measure?: string; subject: string },
  ): Figure | undefined {
    const own = this.#rounds(measure, subject, metric);
    const others = this.#rounds(base.measure ?? measure, base.subject, metric);
    const ratios = [...own].flatMap(([round, value]) => {
      const other = others.get(round);
      return other === undefined ? [] : [value / other];
    });
    return ratios.length === 0 ? undefined : figureOf(ratios);
  }

  #rounds(measure: string, subject: string, metric: string): Map<number, number> {
    const rounds = new Map<number, number>();
    for (const sample of this.#samples) {
      const value = sample.values[metric];
      if (sample.measure === measure && sample.subject === subject && value !== undefined)
        rounds.set(sample.round, value);
    }
    return rounds;
  }
}
