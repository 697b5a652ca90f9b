import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchPublic } from './remote-download.ts'

const limits = { connectMs: 60_000, totalMs: 60_000, redirects: 5 }
const { signal } = new AbortController()

/** A server at an address of this machine, and what it was asked for. */
const serve = async (host: string, port: number, location?: string) => {
  const requested: string[] = []
  const server = createServer(({ url = '' }, reply) => {
    requested.push(url)
    if (location && url === '/') reply.writeHead(302, { location }).end()
    else reply.end(host)
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  onTestFinished(() => void server.close())
  return { requested, port: (server.address() as AddressInfo).port }
}

/** What is checked leads to each of some addresses in turn, and then to the last one; what is not checked to 127.0.0.2. */
const leadTo = (...addresses: string[]) => {
  const next = () => ({ address: (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? '', family: 4 })
  const checked = vi.spyOn(dnsPromises, 'lookup').mockImplementation((async () => [next()]) as never)
  const unchecked = vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, options: object, answer: never) => {
    const say = answer as (...words: unknown[]) => void
    if ('all' in options && options.all) say(null, [{ address: '127.0.0.2', family: 4 }])
    else say(null, '127.0.0.2', 4)
  }) as never)
  // Modules that are loaded already see it too.
  syncBuiltinESMExports()
  onTestFinished(() => {
    unchecked.mockRestore()
    checked.mockRestore()
    syncBuiltinESMExports()
  })
  return checked
}

// Other systems have no second address of their own.
const onLinux = test.runIf(process.platform === 'linux')

onLinux('a name that leads elsewhere once it was checked is connected to where it was checked', async () => {
  const { port } = await serve('127.0.0.1', 0)
  const other = await serve('127.0.0.2', port)
  leadTo('127.0.0.1', '127.0.0.2')
  const answered = await fetchPublic(
    `http://moving.example:${port}/a`,
    { privateHosts: 'all', limits, signal },
    async ({ body }) => {
      let text = ''
      for await (const chunk of body) text += Buffer.from(chunk)
      return text
    },
  )
  expect([answered, other.requested]).toEqual(['127.0.0.1', []])
})

onLinux('a name is checked again at each redirect', async () => {
  const { port } = await serve('127.0.0.1', 0, 'http://moving.example:1/b')
  const lookup = leadTo('127.0.0.1', '10.0.0.1')
  const fetching = fetchPublic(
    `http://moving.example:${port}/`,
    { privateHosts: [`moving.example:${port}`], limits, signal },
    async () => undefined,
  )
  await expect(fetching).rejects.toThrow('moving.example has no public address')
  expect(lookup).toHaveBeenCalledTimes(2)
})
