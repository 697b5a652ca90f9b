import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findBrowser } from '@vid/browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../../../../scripts/dev/browser-patience.ts'
import { askTokens, MIA, newLogin, startOAuth } from '../fixtures/oauth.ts'

let browser: Browser
beforeAll(async () => {
  const { chromium } = await import('playwright-core')
  const { path } = await findBrowser()
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], timeout: BROWSER_PATIENCE_MS })
})
afterAll(() => browser.close())

/** Where the command listens for the end of a login. */
const startListener = async () => {
  const calls: URL[] = []
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    if (url.pathname === '/callback') calls.push(url)
    reply.setHeader('content-type', 'text/html').end('<p>You may close this tab.</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, redirect_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` }
}

const newPage = async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  context.setDefaultTimeout(BROWSER_PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

const fill = async (page: Page, email: string, password: string) => {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a person signs in after a wrong password, allows access, and the command gets tokens', async () => {
  const { url, accountId } = await startOAuth()
  const { calls, redirect_uri } = await startListener()
  const { page, complaints } = await newPage()
  const login = newLogin(url, { redirect_uri })
  await page.goto(login.address)
  await fill(page, MIA.email, 'not the password')
  expect(await page.getByText('The e-mail address or the password is wrong.').isVisible()).toBe(true)
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(MIA.email)
  expect(await page.getByLabel('Password').inputValue()).toBe('')
  await fill(page, 'Mia@Example.com', MIA.password)
  expect(await page.getByRole('heading').textContent()).toBe('Allow vid to use your account?')
  expect(await page.getByText(MIA.email).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('You may close this tab.').waitFor()
  const [call, ...others] = calls
  expect([call?.searchParams.get('state'), others]).toEqual([login.state, []])
  const tokens = await askTokens(url, {
    grant_type: 'authorization_code',
    code: call?.searchParams.get('code') ?? '',
    code_verifier: login.verifier,
    redirect_uri,
  })
  expect(tokens.status).toBe(200)
  const { access_token: token } = tokens as unknown as { access_token: string }
  const reply = await fetch(`${url}/who`, { headers: { authorization: `Bearer ${token}` } })
  expect(await reply.json()).toEqual({ owner: accountId })
  // Only the failed form is reported by the browser; nothing was blocked by the policy of a page.
  expect(complaints.filter((text) => !/401/.test(text))).toEqual([])

  // The same browser is still signed in, and asks again before anything gets access.
  const again = newLogin(url, { redirect_uri })
  await page.goto(again.address)
  expect(await page.getByRole('heading').textContent()).toBe('Allow vid to use your account?')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You may close this tab.').waitFor()
  expect(calls.at(-1)?.searchParams.get('error')).toBe('access_denied')
})

test('a page of another site can neither send the forms nor frame them', async () => {
  const { url } = await startOAuth()
  const { page } = await newPage()
  await page.goto(newLogin(url).address)
  const interaction = page.url()
  const evil = createServer((_, reply) => {
    reply
      .setHeader('content-type', 'text/html')
      .end(`<iframe src="${interaction}"></iframe><form method="post" action="${interaction}/sign-in">
<input name="email" value="${MIA.email}"><input name="password" value="${MIA.password}"><button>go</button></form>`)
  })
  await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve))
  onTestFinished(() => {
    evil.closeAllConnections()
    evil.close()
  })
  await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
  const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
  expect(await frame?.content()).not.toContain('E-mail address')
  const [reply] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/sign-in')),
    page.getByRole('button', { name: 'go' }).click(),
  ])
  expect(reply.status()).toBe(403)
})
