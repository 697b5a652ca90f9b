import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterServed } from '@vid/system'
import { expect, onTestFinished, test } from 'vitest'
import { openSession, pageOf } from '../fixtures/session.ts'

/** Far less than the server below takes. */
const limit = { images: 300 }

const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const open = (host: string) =>
  openSession(pageOf(`<img src="http://${host}/picture.svg">`), { readiness: limit, privateHosts: [host] })

test('an image is waited for as long as it is being sent, whatever the limit of an idle page', async () => {
  const host = await serve((_, response) => {
    const send = () => {
      response.setHeader('content-type', 'image/svg+xml')
      response.end('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
    }
    afterServed(3 * limit.images, send)
  })
  const { session } = await open(host)
  await session.close()
})

test('an image that is sent forever is given up', async () => {
  const host = await serve(() => {})
  await expect(open(host)).rejects.toMatchObject({ code: 'VID_IMAGE_NOT_LOADED' })
})
