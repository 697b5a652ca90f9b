import { noSources, type PluginOf, portableOptions } from '@vid/kernel'
import { expect, test } from 'vitest'
import { defineBrowserCapture, defineChromiumCapture } from '../index.ts'

const driver = {
  launch: async () => {
    throw new Error('no browser is needed here')
  },
}
const machine = { executablePath: '/opt/browser', privateHosts: ['build.internal'] }
const planned = ({ optionsSchema, options }: PluginOf<'capture'>) => portableOptions(optionsSchema, options)

test('a plan holds how pages are captured, but not the program or the private hosts of a machine', () => {
  const chromium = defineChromiumCapture('a-capture', driver)
  expect(planned(chromium({ lane: 'screenshot', ...machine }))).toEqual({ lane: 'screenshot' })
  const either = defineBrowserCapture('b-capture', {
    chromium: driver,
    firefox: { ...driver, browser: 'Firefox', lacks: [] },
  })
  expect(planned(either({ browser: 'firefox', ...machine }))).toEqual({ browser: 'firefox', lane: 'auto' })
})

test('the build names the system, which draws glyphs in its own way', async () => {
  const capture = defineChromiumCapture('a-capture', driver)()
  const system = `${process.platform} ${process.arch}`
  const context = { ...capture, signal: new AbortController().signal, projectDir: '/', workDir: '/' }
  const build = await capture.build?.({ ...context, sources: noSources, warn: () => {} })
  expect(build).toMatch(new RegExp(`^\\S+ [\\d.]+ ${system} auto, page [0-9a-f]{16}$`))
})
