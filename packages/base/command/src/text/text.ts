import { relative } from 'node:path'
import type { RemoteCost } from '@vid/protocol'

/** The path in readable form: relative when it is below the current folder. */
export const shortPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') ? path : short
}

/** A readable number of bytes. */
export const bytesText = (bytes: number): string => {
  if (bytes < 1e3) return `${bytes} bytes`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

/** An amount of US dollars: to the cent, or to a hundredth of one where it is less than ten of them. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`

/** What renders have cost, such as "at most $0.43". */
export const costText = ({ usd, isUpperBound }: RemoteCost): string =>
  `${isUpperBound ? 'at most ' : ''}${dollars(usd)}`
