/** The ways in which terminals show images. */
export type ImageProtocol = 'kitty' | 'iterm2' | 'sixel';

/** What may be said of images on the command line. */
export const imageChoices = ['auto', 'kitty', 'iterm2', 'sixel', 'none'] as const;

export type ImageChoice = (typeof imageChoices)[number];
