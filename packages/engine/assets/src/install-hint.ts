/** How to get a library in the version that an address requests. */
export const installHint = (name: string, version: string | undefined): string =>
  `To use exactly that version, run "npm install ${name}${version === undefined ? '' : `@${version}`}" in the project's folder: an installed package is served for such an address when its version matches.`
