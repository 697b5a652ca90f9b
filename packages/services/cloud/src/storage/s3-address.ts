import { fail } from '../errors.ts'

/** Address of an object store and a prefix in it. */
export interface S3Address {
  readonly bucket: string
  /** Prefix of every key: empty, or with a slash at the end. */
  readonly prefix: string
  readonly region: string | undefined
  /** Address of a server other than AWS. */
  readonly endpoint: string | undefined
  /** Address by which clients reach that server, if it differs. */
  readonly publicEndpoint: string | undefined
}

const SETTINGS: ReadonlySet<string> = new Set(['region', 'endpoint', 'public-endpoint'])
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/

const problemOf = (url: URL | undefined): string | undefined => {
  if (url?.protocol !== 's3:') return 'it does not begin with s3://'
  if (url.username || url.password) return 'credentials come from the AWS environment, not from the address'
  if (!BUCKET.test(url.hostname)) return `"${url.hostname}" is not a name of a bucket`
  const unknown = [...url.searchParams.keys()].find((name) => !SETTINGS.has(name))
  if (unknown !== undefined) return `it has no setting "${unknown}"`
  for (const name of ['endpoint', 'public-endpoint']) {
    const value = url.searchParams.get(name)
    if (value !== null && !(/^https?:/.test(value) && URL.canParse(value)))
      return `its ${name} is not an http or https address`
  }
  return undefined
}

/**
 * Parses `s3://bucket/prefix?region=…&endpoint=…&public-endpoint=…`; fails with VID_CLOUD_STORAGE_ADDRESS if it is
 * invalid.
 */
export const parseS3Address = (text: string): S3Address => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (problem: string) => fail('VID_CLOUD_STORAGE_ADDRESS', { problem })
  const problem = problemOf(url)
  if (!url || problem !== undefined) throw refuse(problem ?? 'it is not an address')
  const folders = url.pathname.split('/').filter((name) => name !== '')
  const prefix = folders.map((name) => `${name}/`).join('')
  if (!PREFIX.test(prefix)) throw refuse('its prefix may have names of letters, digits, "-", "_" and "."')
  const setting = (name: string) => url.searchParams.get(name) || undefined
  return {
    bucket: url.hostname,
    prefix,
    region: setting('region'),
    endpoint: setting('endpoint'),
    publicEndpoint: setting('public-endpoint'),
  }
}
