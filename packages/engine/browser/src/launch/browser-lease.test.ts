import type { SharedPool } from '@vid/kernel'
import { expect, test } from 'vitest'
import type { PageDriver } from '../driver/cdp.ts'
import { prepareBrowser } from './browser-lease.ts'

test('a browser that was upgraded at its place is not shared with sessions of the one before', () => {
  const keys = new Set<string>()
  const pool: SharedPool = {
    prepare: (key) => void keys.add(key),
    acquire: () => Promise.reject(new Error('nothing is leased here')),
    close: async () => {},
  }
  const driver: PageDriver = { launch: () => Promise.reject(new Error('nothing is started here')) }
  const executable = { path: '/usr/lib/chromium/chromium', env: {}, kind: 'headless-shell', source: 'option' } as const
  for (const version of ['140.0.1.2', '140.0.1.2', '150.0.10.20'])
    prepareBrowser(pool, { driver, executable: { ...executable, version }, frameControl: true, width: 64, height: 36 })
  expect(keys.size).toBe(2)
})
