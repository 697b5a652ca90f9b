import type { Browser } from 'playwright-core'

/** Commands of WebDriver BiDi that Playwright sends in every context, and what is done when one is refused or unwanted. */
const ANSWERED: readonly {
  readonly method: string
  /** Whether it is sent at all. */
  readonly sent: boolean
  readonly reason: string
}[] = [
  {
    method: 'emulation.setMediaFeaturesOverride',
    sent: true,
    reason: 'Firefox up to at least 153 does not know it; the profile says the same',
  },
  {
    method: 'network.setCacheBehavior',
    sent: false,
    reason: 'an image that a page holds already must be shown at once where it is shown again',
  },
]

/** The part of Playwright's own connection that its types do not tell. */
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
 * Makes Playwright get along with an installed Firefox: it speaks BiDi to it as to the newest one. Where its inside is
 * no longer as it was, nothing is changed, and a browser that then refuses a command does not start.
 */
export const smoothBidi = (browser: Browser): void => {
  const session = sessionOf(browser)
  if (!session) return
  const { send } = session
  session.send = async (method, params) => {
    const known = ANSWERED.find((each) => each.method === method)
    if (known && !known.sent) return {}
    const answer = send.call(session, method, params)
    return known ? answer.catch(() => ({})) : answer
  }
}
