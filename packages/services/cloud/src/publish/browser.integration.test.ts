import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findBrowser } from '@vid/browser'
import { createServer as createVidServer } from '@vid/server'
import { expect, onTestFinished, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../../../../scripts/dev/browser-patience.ts'
import { createAuthenticate } from '../accounts/authenticate.ts'
import { emptyDatabase } from '../fixtures/database.ts'
import { newRender } from '../fixtures/renders.ts'
import { addPublicationRoutes } from './publication-routes.ts'
import { publish } from './publications.ts'

test('a browser loads picture and video from their own origin, tells it nothing, and runs nothing', async () => {
  const requests: { readonly url: string; readonly referer: string | undefined }[] = []
  const files = createServer(({ url = '', headers }, reply) => {
    requests.push({ url, referer: headers.referer })
    reply.writeHead(404).end()
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    files.closeAllConnections()
    files.close()
  })
  const filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  const database = await emptyDatabase()
  const server = await createVidServer({
    api: { title: 'pages', version: '1' },
    authenticate: createAuthenticate(database),
    log: { level: 'silent' },
  })
  onTestFinished(() => server.close())
  let url = ''
  addPublicationRoutes({
    app: server.app,
    database,
    publicUrl: () => url,
    play: { originOf: () => undefined },
    addressesOf: async () => ({
      video_url: `${filesUrl}/video.mp4`,
      thumbnail_url: `${filesUrl}/still.jpg`,
      poster_url: null,
      playlist_url: null,
    }),
  })
  url = (await server.listen(0)).url
  const title = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'
  const { id, accountId } = await newRender(database, { title, variables: { [title]: title } })
  const { url: address } = await publish(database, accountId, { render_id: id, public: false }, url)

  const { chromium } = await import('playwright-core')
  const { path } = await findBrowser()
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'], timeout: BROWSER_PATIENCE_MS })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(BROWSER_PATIENCE_MS)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(address, { waitUntil: 'networkidle' })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
  expect(await page.title()).toBe(title)
  expect(new Set(requests.map((request) => request.url))).toEqual(new Set(['/video.mp4', '/still.jpg']))
  // The address of the page is its secret.
  expect(requests.map(({ referer }) => referer).filter((referer) => referer !== undefined)).toEqual([])
  // The style is applied, and nothing was blocked.
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).not.toBe('none')
  expect(complaints.filter((text) => !/404/.test(text))).toEqual([])
})
