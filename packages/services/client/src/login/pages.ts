import type { ServerResponse } from 'node:http'
import { escapeHtml } from '@vid/protocol'

/** A page shown in the browser. */
export interface LoginPage {
  readonly status: number
  readonly title: string
  readonly text: string
}

/** Sends a page without external resources, and closes its connection. */
export const sendPage = (response: ServerResponse, { status, title, text }: LoginPage): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
      '<body style="font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em">' +
      `<h1 style="font-size:1.4em">${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></body></html>\n`,
  )
}

/** The page after a sign-in. */
export const signedInPage: LoginPage = {
  status: 200,
  title: 'You are signed in',
  text: 'You can close this tab and go back to the terminal.',
}

/** The page after a failed sign-in. */
export const failedPage = (text: string): LoginPage => ({
  status: 400,
  title: 'You are not signed in',
  text: `${text} You can close this tab; the terminal says more.`,
})

/** The page for every other request. */
export const strayPage: LoginPage = {
  status: 404,
  title: 'Nothing is here',
  text: 'This address belongs to a sign-in that was begun in a terminal.',
}
