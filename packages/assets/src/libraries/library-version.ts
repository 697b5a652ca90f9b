import { satisfies, validRange } from 'semver'

/** Three.js counts its revisions where others count minor versions, and so do its addresses on cdnjs. */
const REVISION = /^r(\d+)$/

/** A version as a CDN address writes it, as npm would; what no decoder reads stays as it is and names no version. */
export const plainRange = (version: string): string => {
  try {
    return decodeURIComponent(version).replace(REVISION, '0.$1')
  } catch {
    return version
  }
}

const isAny = (range: string | undefined) => range === undefined || /^(?:latest|\*|x)$/.test(range)

/** Whether a version is what a range such as `latest`, `3`, `^3.12.5` or none asks for. */
export const meetsRange = (range: string | undefined, version: string): boolean =>
  range === undefined || isAny(range) || (validRange(range) !== null && satisfies(version, range))

/** Whether a version has the major that a range asks for, whatever it says beyond. */
export const hasSameMajor = (range: string | undefined, version: string): boolean =>
  range === undefined ||
  isAny(range) ||
  /^(?:[~^]|>=)?v?(\d+)(?:\.|$)/.exec(range)?.[1] === version.split('.')[0]

/** A library that is served in another version than its address asks for. */
export interface OtherVersion {
  readonly name: string
  readonly asked: string
  readonly served: string
}
