import { readFile } from 'node:fs/promises'
import { resolveLibrary } from '@vid/assets'
import type { PageAnswer } from '../driver/portable-driver.ts'
import type { Verdict } from '../network/network-policy.ts'

/** Finds a default export in a module's text. */
const HAS_DEFAULT = /\bexport\s+default\b|\bas\s+default\b/

/**
 * Answers a request for a module that is at another address. Drivers do not intercept redirected requests, and the
 * egress proxy refuses them. The answer is therefore a module that re-exports everything from that address, and
 * relative imports still start from the right place.
 */
const reexport = async (address: string): Promise<PageAnswer> => {
  const library = resolveLibrary(address)
  if (library === undefined || 'redirect' in library) return 'refuse'
  const from = JSON.stringify(address)
  const hasDefault = HAS_DEFAULT.test(await readFile(library.path, 'utf8'))
  const body = `export * from ${from}\n${hasDefault ? `export { default } from ${from}\n` : ''}`
  return {
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' },
    body: Buffer.from(body),
  }
}

/** The answer that carries out a decision of the network policy. */
export const answerOf = async (verdict: Verdict): Promise<PageAnswer> => {
  if (typeof verdict === 'string') return verdict
  if ('redirect' in verdict) return reexport(verdict.redirect)
  const { contentType, allowOrigin, body } = verdict.asset
  const headers = {
    'content-type': contentType,
    ...(allowOrigin !== null && { 'access-control-allow-origin': allowOrigin }),
  }
  return { status: 200, headers, body }
}
