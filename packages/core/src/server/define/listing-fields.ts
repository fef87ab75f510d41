import type { Described } from '../../protocol/identity.ts';

/** Adds the members that all kinds of listings share, if they are set. */
export function describe<Listing extends Described>(
  listing: Listing,
  { title, description, icons, _meta }: Described,
): Listing {
  if (title !== undefined) listing.title = title;
  if (description !== undefined) listing.description = description;
  if (icons !== undefined) listing.icons = icons;
  if (_meta !== undefined) listing._meta = _meta;
  return listing;
}
