import { defineChromiumCapture } from '@vid/browser'
import { captureSuite } from '@vid/testkit'
import { describe } from 'vitest'
import { firefox, withoutFirefox } from './fixtures/engines.ts'
import playwright from './index.ts'
import { portableChromiumDriver } from './portable-driver.ts'

describe('without the DevTools protocol', () => {
  captureSuite(defineChromiumCapture('@vid/capture-portable', portableChromiumDriver))
})

describe.skipIf(!firefox)(`Firefox${withoutFirefox}`, () => {
  captureSuite(playwright, {
    options: { browser: 'firefox', ...(firefox && { executablePath: firefox.executable.path }) },
    lacksAlpha: true,
  })
})
