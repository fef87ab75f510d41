const endings = ["'ing", "'d", "'s", 'ing', 'ed', 'en', 'es', 's', 'd', 'n'];

/** What may stand before the ending of a word, with the letters that endings double, drop or change put back. */
export function stemsOf(word: string): string[] {
  const stems = endings
    .filter((ending) => word.endsWith(ending) && word.length > ending.length + 1)
    .flatMap((ending) => {
      const stem = word.slice(0, -ending.length);
      // These only take a letter away, or come after whole words.
      if (ending.length === 1 || ending.startsWith("'")) return [stem];
      const single = stem.replace(/([^aeiou])\1$/, '$1');
      const respelled = [
        stem.replace(/i$/, 'y'),
        stem.replace(/y$/, 'ie'),
        stem.replace(/y$/, 'i'),
        stem.replace(/ck$/, 'c'),
      ];
      return [stem, single, ...respelled, `${stem}e`, `${single}e`];
    });
  return [...new Set(stems)];
}
