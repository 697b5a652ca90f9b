import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { BrowserLaunch, DrivenPage, PageDriver } from '../driver/cdp.ts'
import { type Browser, type BrowserOptions, openBrowser } from './browser.ts'

/** A driver whose first launches fail, and what it was asked to start. */
const stubbornDriver = (failures: readonly string[]) => {
  const launches: BrowserLaunch[] = []
  const driver: PageDriver = {
    async launch(launch) {
      launches.push(launch)
      const failure = failures[launches.length - 1]
      if (failure !== undefined) throw new Error(failure)
      return {
        pid: 1,
        newPage: () => Promise.reject<DrivenPage>(new Error('no page is opened here')),
        onExit: () => {},
        close: async () => {},
      }
    },
  }
  return { driver, launches }
}

const open = async (driver: PageDriver, damaged: boolean, more: Partial<BrowserOptions> = {}) => {
  let repairs = 0
  const repair = async () => {
    repairs += 1
    return damaged
  }
  const executable = {
    path: '/a/chrome',
    env: {},
    version: '1',
    kind: 'chrome',
    source: 'embedded',
    repair,
  } as const
  const signal = new AbortController().signal
  const size = { width: 64, height: 36 }
  const options = {
    ...size,
    driver,
    executable,
    signal,
    frameControl: false,
    sandboxMode: 'off',
    ...more,
  } as const
  const start = openBrowser(options)
  onTestFinished(() => start.then((browser) => browser.close()).catch(() => {}))
  return start.then(
    (browser) => ({ browser, repairs }),
    (error: unknown) => ({ error, repairs }),
  )
}

test('a browser that does not start is unpacked again where it is damaged, and started once more', async () => {
  const healed = stubbornDriver(['libnss3.so: file too short'])
  expect(await open(healed.driver, true)).toMatchObject({ browser: { pid: 1 }, repairs: 1 })
  expect(healed.launches).toHaveLength(2)
  const whole = stubbornDriver(['libnss3.so: no such file'])
  expect(await open(whole.driver, false)).toMatchObject({
    error: { code: 'VID_BROWSER_LAUNCH', message: expect.stringContaining('libnss3.so: no such file') },
    repairs: 1,
  })
  expect(whole.launches).toHaveLength(1)
})

test.each([
  'it ended with 1: No usable sandbox!',
  'it ended with SIGTRAP: Check failed: sys_chroot("/proc/self/fdinfo/") == 0',
])('a sandbox that does not start is left out once, or refused where it is required: %s', async (failure) => {
  const auto = stubbornDriver([failure])
  const browser = await open(auto.driver, false, { sandboxMode: 'auto' })
  // A machine that cannot start any sandbox leaves it out from the first.
  if (auto.launches[0]?.args.includes('--no-sandbox')) expect(auto.launches).toHaveLength(1)
  else {
    expect(browser).toMatchObject({ browser: { sandboxMissing: failure }, repairs: 0 })
    expect(auto.launches.map(({ args }) => args.includes('--no-sandbox'))).toEqual([false, true])
  }
  const required = stubbornDriver([failure])
  expect(await open(required.driver, false, { sandboxMode: 'require' })).toMatchObject({
    error: { code: 'VID_SANDBOX_MISSING' },
  })
})

test('a browser that something else has killed is not started without its sandbox, whatever it printed', async () => {
  const killedDriver = stubbornDriver(['it ended with SIGKILL: WARNING:zygote_host_impl_linux.cc sandbox'])
  expect(await open(killedDriver.driver, false, { sandboxMode: 'auto' })).toMatchObject({
    error: { code: 'VID_BROWSER_LAUNCH', fault: 'machine' },
  })
  expect(killedDriver.launches).toHaveLength(1)
})

test('a browser is kept to its profile folder, which is removed', async () => {
  const { driver, launches } = stubbornDriver([])
  const browser = await open(driver, false)
  if (!('browser' in browser)) throw browser.error
  const { profile } = browser.browser
  expect(launches[0]?.env).toMatchObject({ HOME: profile, TMPDIR: profile, TEMP: profile, TMP: profile })
  await browser.browser.close()
  expect(existsSync(profile)).toBe(false)
})

test('a page that the browser does not open is a fault of the machine', async () => {
  const { browser } = (await open(stubbornDriver([]).driver, false)) as { browser: Browser }
  await expect(browser.newPage()).rejects.toMatchObject({
    code: 'VID_BROWSER_PROTOCOL',
    fault: 'machine',
    message: expect.stringMatching(/a new page: no page is opened here/),
  })
})
