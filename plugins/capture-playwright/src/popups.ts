import type { Page } from 'playwright-core'

/** Longest wait for the address of a window that a page has opened; one without any asks for nothing. */
const ADDRESS_MS = 500

/** Windows that a page opens, identified by their addresses. */
export interface Popups {
  /** A document was asked for that is not the page's. */
  asked(url: string): void
}

/** Closes every window that a page opens, and reports it once its address is known. */
export const refusePopups = (page: Page, report: (url: string) => void): Popups => {
  const addresses: string[] = []
  const waiting: ((url: string) => void)[] = []
  const addressOf = (popup: Page) =>
    new Promise<string>((resolve) => {
      const [address] = addresses.splice(0, 1)
      if (address !== undefined) return resolve(address)
      waiting.push(resolve)
      const late = () => {
        const index = waiting.indexOf(resolve)
        if (index >= 0) waiting.splice(index, 1)
        resolve(popup.url())
      }
      setTimeout(late, ADDRESS_MS).unref()
    })
  page.on('popup', (popup) => {
    void addressOf(popup)
      .then(report)
      .finally(() => popup.close().catch(() => undefined))
  })
  return {
    asked(url) {
      const resolve = waiting.shift()
      if (resolve) resolve(url)
      else addresses.push(url)
    },
  }
}
