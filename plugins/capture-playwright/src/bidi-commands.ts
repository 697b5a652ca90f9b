import type { Browser } from 'playwright-core'

/** A command that Playwright sends for every context and Firefox up to 153 does not know; the profile says the same. */
const UNKNOWN = 'emulation.setMediaFeaturesOverride'

/** The part of Playwright's own connection that its types do not declare. */
interface Session {
  send(method: string, params?: unknown): Promise<unknown>
}

const sessionOf = (browser: Browser): Session | undefined => {
  const { _connection } = browser as unknown as {
    readonly _connection?: { toImpl?(object: unknown): { readonly _browserSession?: Session } | undefined }
  }
  return _connection?.toImpl?.(browser)?._browserSession
}

/**
 * Makes Playwright work with an installed Firefox, to which it sends the BiDi commands of the newest one. Where its
 * internals have changed, nothing is patched, and a browser that refuses the command does not start.
 */
export const smoothBidi = (browser: Browser): void => {
  const session = sessionOf(browser)
  if (!session) return
  const { send } = session
  session.send = (method, params) => {
    const answer = send.call(session, method, params)
    return method === UNKNOWN ? answer.catch(() => ({})) : answer
  }
}
