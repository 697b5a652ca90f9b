import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestContext } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import producer from './index.ts'

const REPLY = { maxConcurrentRenders: 2, activeRenders: 1, queuedRenders: 3 }
const REFUSAL = {
  success: false,
  error: { code: 'VID_PRODUCER_TOKEN', message: 'refused', hint: 'give the token', fault: 'caller' },
}

/** The answer of the target, beside a server that knows the token "right". */
const examine = async (token: string, url?: string) => {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer right' && request.url === '/render/queue'
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? REPLY : REFUSAL))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const target = producer({ url: url ?? `http://127.0.0.1:${port}`, token })
  const context = { options: target.options, signal: new AbortController().signal }
  return target.examine?.(context as unknown as RequestContext<never>)
}

test('examining the target asks the render server for its queue', async () => {
  expect(await examine('right')).toMatch(/answers: 1 renders run, 3 wait/)
})

test('a token that the render server refuses, and one that is away, are errors at once', async () => {
  await expect(examine('wrong-token')).rejects.toMatchObject({
    message: expect.not.stringContaining('wrong-token'),
  })
  await expect(examine('right', 'http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'VID_PRODUCER_UNREACHABLE',
  })
})
