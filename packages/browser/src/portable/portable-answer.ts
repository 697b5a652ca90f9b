import { readFile } from 'node:fs/promises'
import { resolveLibrary } from '@vid/assets'
import type { Verdict } from '../network/network-policy.ts'
import type { PageAnswer } from './portable-driver.ts'

/** Whether the text of a module has a default export, so far as its text says. */
const HAS_DEFAULT = /\bexport\s+default\b|\bas\s+default\b/

/**
 * Drivers let a redirected request through unseen, to a gate that refuses it. A module that stands elsewhere is
 * answered with one that passes on what it exports, so that its own relative imports start from its place.
 */
const passOn = async (address: string): Promise<PageAnswer> => {
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

/** The answer that carries out what was decided of a request. */
export const answerOf = async (verdict: Verdict): Promise<PageAnswer> => {
  if (typeof verdict === 'string') return verdict
  if ('redirect' in verdict) return passOn(verdict.redirect)
  const { contentType, allowOrigin, body } = verdict.asset
  const headers = {
    'content-type': contentType,
    ...(allowOrigin !== null && { 'access-control-allow-origin': allowOrigin }),
  }
  return { status: 200, headers, body }
}
