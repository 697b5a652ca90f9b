import { satisfies, validRange } from 'semver'

/** Three.js numbers revisions: `r128` on cdnjs is version 0.128 on npm. */
const REVISION = /^r(\d+)$/

/** An npm range for a version as CDN addresses write it; one that cannot be decoded stays as it is and matches none. */
export const plainRange = (version: string): string => {
  try {
    return decodeURIComponent(version).replace(REVISION, '0.$1')
  } catch {
    return version
  }
}

const isAny = (range: string | undefined) => range === undefined || /^(?:latest|\*|x)$/.test(range)

/** Whether a version satisfies a range such as `latest`, `3`, `^3.12.5`, or none at all. */
export const meetsRange = (range: string | undefined, version: string): boolean =>
  range === undefined || isAny(range) || (validRange(range) !== null && satisfies(version, range))

/** Whether a version has the major version that a range begins with. */
export const hasSameMajor = (range: string | undefined, version: string): boolean =>
  range === undefined || isAny(range) || /^(?:[~^]|>=)?v?(\d+)(?:\.|$)/.exec(range)?.[1] === version.split('.')[0]

const SERIES = /^(?:[~^]|>=)?v?(\d+)(?:\.(\d+))?/

/** The first number of a version; of 0.x the second as well, since there each minor version may break what uses it. */
const seriesOf = (version: string): string => {
  const [, major = '', minor = ''] = SERIES.exec(version) ?? []
  return major === '0' ? `0.${minor}` : major
}

/** Whether semantic versioning promises that a version does what was written for a range. */
export const isCompatible = (version: Pick<OtherVersion, 'asked' | 'served'>): boolean =>
  seriesOf(version.asked) === seriesOf(version.served)

/** A library that is served in another version than its address requests. */
export interface OtherVersion {
  readonly name: string
  readonly asked: string
  readonly served: string
}
