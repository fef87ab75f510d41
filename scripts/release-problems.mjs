/**
 * What package.json of a published package says, as far as a release depends on it.
 *
 * @typedef {{
 *   name: string, version: string, description?: string, license?: string, keywords?: string[], files?: string[],
 *   engines?: { node?: string }, publishConfig?: { access?: string, provenance?: boolean },
 *   repository?: { url?: string, directory?: string }, homepage?: string, bugs?: string,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 * }} Manifest
 */

/** The host of placeholder URLs for the public repository. It can't exist (RFC 2606). */
const placeholder = 'repository.invalid';

/**
 * The problems that prevent a release, as sentences; empty if there are none.
 *
 * @param {readonly Manifest[]} manifests
 * @param {string} changelog
 * @returns {string[]}
 */
export function releaseProblems(manifests, changelog) {
  const version = manifests[0]?.version ?? '';
  return [
    ...manifests.flatMap((manifest) => manifestProblems(manifest, manifests)),
    ...(changelog.includes(`\n## ${version} (`) ? [] : [`CHANGELOG.md has no section "## ${version} (date)"`]),
    ...(/^## Unreleased\n+(?=## )/m.test(changelog) ? [] : ['CHANGELOG.md still has something under "Unreleased"']),
  ];
}

/** @param {Manifest} manifest @param {readonly Manifest[]} all */
function manifestProblems(manifest, all) {
  const { name, version, publishConfig, repository, homepage = '', bugs = '' } = manifest;
  const addresses = { repository: repository?.url ?? '', homepage, bugs };
  const invented = Object.entries(addresses).filter(([, address]) => address.includes(placeholder));
  const missing = ['description', 'license', 'keywords', 'files', 'engines', 'homepage', 'bugs'].filter(
    (field) => !(field in manifest),
  );
  const common = all[0]?.version ?? '';
  const needs = { ...manifest.devDependencies, ...manifest.dependencies };
  const others = all.filter((other) => needs[other.name] !== undefined && needs[other.name] !== other.version);
  return [
    ...missing.map((field) => `${name} says nothing under "${field}"`),
    ...(version === common ? [] : [`${name} has the version ${version}, others have ${common}`]),
    ...others.map(
      (other) => `${name} needs ${other.name} ${needs[other.name]}, which has the version ${other.version}`,
    ),
    ...(publishConfig?.access === 'public' ? [] : [`${name} would not be public: set publishConfig.access`]),
    ...(publishConfig?.provenance === true ? [] : [`${name} would have no provenance: set publishConfig.provenance`]),
    ...(repository?.url && repository.directory
      ? []
      : [`${name} has no repository with url and directory, without which provenance is rejected`]),
    ...invented.map(
      ([field, address]) =>
        `${name} has the placeholder ${address} under "${field}": write the address of the public repository`,
    ),
  ];
}
