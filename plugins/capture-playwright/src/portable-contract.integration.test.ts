import { defineChromiumCapture } from '@vid/browser'
import { captureSuite } from '@vid/testkit'
import { describe } from 'vitest'
import { firefox, withoutFirefox } from './fixtures/engines.ts'
import playwright from './index.ts'
import { portableChromiumDriver } from './portable-driver.ts'

describe('without the DevTools protocol', () => {
  captureSuite(defineChromiumCapture('@vid/capture-portable', portableChromiumDriver))
})

// A Firefox takes seconds to start, and more of them beside other work.
describe.skipIf(!firefox)(`Firefox${withoutFirefox}`, { timeout: 300_000 }, () => {
  captureSuite(playwright, {
    options: { browser: 'firefox', ...(firefox && { executablePath: firefox.executable.path }) },
    lacksAlpha: true,
  })
})
