import { expect, test } from 'vitest'
import { confineBrowser, sandboxMode } from './sandbox.ts'

const ordinary = { sandbox: true, roomySharedMemory: true }
const root = { sandbox: false, sandboxPrefix: ['/usr/bin/unshare', '--'], roomySharedMemory: true }
const closed = { sandbox: false, sandboxMissing: 'namespaces are closed', roomySharedMemory: true }

test('the sandbox is used wherever it can start, for root in a namespace', () => {
  for (const mode of ['auto', 'require'] as const) {
    expect(confineBrowser(mode, 'headless-shell', ordinary)).toEqual({ sandbox: true, prefix: [] })
    expect(confineBrowser(mode, 'chrome', root)).toEqual({ sandbox: true, prefix: root.sandboxPrefix })
  }
})

test('without a sandbox, auto says why, require refuses and off is content', () => {
  expect(confineBrowser('auto', 'chrome', closed)).toEqual({
    sandbox: false,
    prefix: [],
    missing: 'namespaces are closed',
  })
  expect(() => confineBrowser('require', 'chrome', closed)).toThrow(/does not work here: namespaces are closed/)
  for (const machine of [ordinary, root, closed])
    expect(confineBrowser('off', 'chrome', machine)).toEqual({ sandbox: false, prefix: [] })
})

test('VID_SANDBOX wins over the option, and a wrong value is refused', () => {
  expect([sandboxMode('require', {}), sandboxMode(undefined, {})]).toEqual(['require', 'auto'])
  expect(sandboxMode('require', { VID_SANDBOX: 'off' })).toBe('off')
  expect(() => sandboxMode('auto', { VID_SANDBOX: 'on' })).toThrow(/VID_SANDBOX is "on"; known: auto/)
})
