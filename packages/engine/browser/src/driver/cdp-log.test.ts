import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withCdpLog } from './cdp-log.ts'

const lines: string[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(
      String(text)
        .trimEnd()
        .replace(/^cdp [\d.]+ ms /, ''),
    )
    return true
  })
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const portOf = () => {
  const listeners = new Map<string, ((params: unknown) => void)[]>()
  const port = {
    send: async (method: string): Promise<unknown> => {
      if (method === 'Page.crash') throw new Error('Target closed')
      return { frameId: 'one' }
    },
    on: (event: string, listener: (params: unknown) => void) => {
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
      return () => {}
    },
  }
  const happen = (event: string, params: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(params)
  }
  return { port, happen }
}

test('a command, its answer and its refusal are printed', async () => {
  vi.stubEnv('VID_DEBUG', 'cdp')
  const port = withCdpLog(portOf().port)
  await port.send('Page.navigate', { url: 'https://ada:pw@example.com/' })
  await expect(port.send('Page.crash')).rejects.toThrow('Target closed')
  expect(lines).toEqual([
    '→ 1 Page.navigate {"url":"https://example.com/"}',
    '← 1 Page.navigate {"frameId":"one"}',
    '→ 2 Page.crash',
    '← 2 Page.crash refused: Target closed',
  ])
})

test('an event is printed once for any number of listeners, and long values are truncated', () => {
  vi.stubEnv('VID_DEBUG', 'cdp')
  const { port, happen } = portOf()
  const loggedPort = withCdpLog(port)
  const events: unknown[] = []
  loggedPort.on('Runtime.bindingCalled', (params) => events.push(params))
  loggedPort.on('Runtime.bindingCalled', (params) => events.push(params))
  happen('Runtime.bindingCalled', 'x'.repeat(1000))
  expect(events).toHaveLength(2)
  expect(lines).toEqual([`event Runtime.bindingCalled "${'x'.repeat(499)}…`])
})

test('without VID_DEBUG=cdp the port is returned unchanged', () => {
  vi.stubEnv('VID_DEBUG', 'ffmpeg')
  const { port } = portOf()
  expect(withCdpLog(port)).toBe(port)
})
